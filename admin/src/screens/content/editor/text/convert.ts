import { DOMSerializer, type Schema, DOMParser as SchemaParser } from '@tiptap/pm/model'
import { toParagraphs } from '../../../../../../cms/content/render/autop.ts'
import { AFTER, BEFORE, HTML_BLOCK_TAG } from './html-block.ts'
import { isSameHtml, onlyParagraph } from './same-html.ts'

/** An opening, closing, or void block comment: `wp:image {"id":4}`, `/wp:image`, `wp:latest-posts /`. */
const BLOCK_COMMENT = /^\s*(\/?)wp:[\s\S]*?(\/?)\s*$/

/**
 * Converts stored content for the visual editor: lines become paragraphs as on the site, and HTML that the editor would
 * change becomes an HTML block.
 */
export function toEditor(content: string, schema: Schema): string {
  return groupsOf([...asShown(content).childNodes])
    .map((nodes) => blockOf(nodes, schema))
    .join('')
}

/** Converts the editor's content for storage: one block per paragraph. */
export function fromEditor(html: string): string {
  const body = parse(html)
  for (const element of body.querySelectorAll('li, td, th')) unwrapParagraph(element)
  for (const caption of body.querySelectorAll('figcaption')) if (!caption.hasChildNodes()) caption.remove()
  for (const table of body.querySelectorAll('table')) {
    table.querySelector(':scope > colgroup')?.remove()
    table.style.removeProperty('min-width')
    if (table.getAttribute('style') === '') table.removeAttribute('style')
  }
  for (const cell of body.querySelectorAll('td, th'))
    for (const name of ['colspan', 'rowspan']) if (cell.getAttribute(name) === '1') cell.removeAttribute(name)
  const isEmpty =
    body.childElementCount === 1 && body.firstElementChild?.tagName === 'P' && !body.firstElementChild.hasChildNodes()
  if (isEmpty) return ''
  return [...body.children]
    .map((element) => {
      if (element.localName === HTML_BLOCK_TAG) return element.getAttribute('data-html') ?? ''
      const comments = [BEFORE, AFTER].map((name) => element.getAttribute(name))
      for (const name of [BEFORE, AFTER]) element.removeAttribute(name)
      for (const inner of element.querySelectorAll(`[${BEFORE}], [${AFTER}]`)) putComments(inner)
      const [before, after] = comments.map((text) => (text === null ? '' : `<!--${text}-->`))
      return [before, element.outerHTML, after].filter((part) => part !== '').join('\n')
    })
    .join('\n\n')
}

function unwrapParagraph(element: Element): void {
  const paragraph = onlyParagraph(element)
  paragraph?.replaceWith(...paragraph.childNodes)
}

/** Whether the visual editor returns the content unchanged. */
export function isLossless(content: string, schema: Schema): boolean {
  const html = throughSchema(parse(toEditor(content, schema)), schema)
  return isSameHtml(asShown(content), parse(fromEditor(html)))
}

/** The content with line breaks converted to paragraphs, as on the site. */
function asShown(content: string): HTMLElement {
  const body = parse(content.includes('<!-- wp:') ? content : toParagraphs(content))
  // `<!--more-->` on its own line is not a paragraph.
  for (const paragraph of body.querySelectorAll(':scope > p')) {
    const [only] = paragraph.childNodes
    if (only instanceof Comment && paragraph.childNodes.length === 1) paragraph.replaceWith(only)
  }
  for (const run of groupsOf([...body.childNodes])) if (run.every((node) => isRun(node))) wrap(run)
  return body
}

/** Text between blocks becomes a paragraph; a shortcode may be a block of its own. */
function wrap(run: readonly Node[]): void {
  const text = run.map((node) => node.textContent ?? '').join('')
  if (text.trim().startsWith('[') && text.trim().endsWith(']')) return
  const paragraph = run[0]?.ownerDocument?.createElement('p')
  const [first] = run
  if (!paragraph || !(first instanceof Text || first instanceof Element)) return
  first.before(paragraph)
  paragraph.append(...run)
}

/** A detached document: nothing is loaded or run. */
function parse(html: string): HTMLElement {
  return new DOMParser().parseFromString(`<body>${html}`, 'text/html').body
}

function throughSchema(body: Element, schema: Schema): string {
  const document = SchemaParser.fromSchema(schema).parse(body)
  const target = parse('')
  target.append(
    DOMSerializer.fromSchema(schema).serializeFragment(document.content, { document: target.ownerDocument }),
  )
  return target.innerHTML
}

/** Nodes that belong together: a block with its comments, or a run of text. */
function groupsOf(nodes: readonly Node[]): Node[][] {
  const groups: Node[][] = []
  let at = 0
  while (at < nodes.length) {
    const end = isOpening(nodes[at]) ? endOfBlock(nodes, at) : isRun(nodes[at]) ? endOfRun(nodes, at) : at + 1
    const group = nodes.slice(at, end)
    if (group.some((node) => !isBlank(node))) groups.push(group)
    at = end
  }
  return groups
}

function blockOf(nodes: readonly Node[], schema: Schema): string {
  const [first, ...others] = nodes.filter((node) => !isBlank(node))
  const element = first instanceof Element ? first : others[0]
  const isBlock = first instanceof Element ? others.length === 0 : isOpening(first) && others.length === 2
  if (element instanceof Element && isBlock) {
    const candidate = element.cloneNode(true)
    if (candidate instanceof Element) {
      if (first instanceof Comment) candidate.setAttribute(BEFORE, first.data)
      const last = others.at(-1)
      if (first instanceof Comment && last instanceof Comment) candidate.setAttribute(AFTER, last.data)
      takeComments(candidate)
      if (survives(nodes, candidate.outerHTML, schema)) return candidate.outerHTML
    }
  }
  const kept = document.createElement(HTML_BLOCK_TAG)
  kept.setAttribute('data-html', sourceOf(nodes).trim())
  return kept.outerHTML
}

function survives(nodes: readonly Node[], html: string, schema: Schema): boolean {
  return isSameHtml(parse(sourceOf(nodes)), parse(fromEditor(throughSchema(parse(html), schema))))
}

/** Comments of inner blocks, such as list items, become attributes of those blocks. */
function takeComments(block: Element): void {
  for (const parent of [block, ...block.querySelectorAll('*')]) {
    const children = [...parent.childNodes].filter((node) => !isBlank(node))
    children.forEach((before, at) => {
      const [element, after] = [children[at + 1], children[at + 2]]
      if (!isOpening(before) || !(element instanceof Element) || !(after instanceof Comment)) return
      element.setAttribute(BEFORE, before.data)
      element.setAttribute(AFTER, after.data)
      before.remove()
      after.remove()
    })
  }
}

function putComments(element: Element): void {
  const [before, after] = [element.getAttribute(BEFORE), element.getAttribute(AFTER)]
  element.removeAttribute(BEFORE)
  element.removeAttribute(AFTER)
  if (before !== null) element.before(new Comment(before))
  if (after !== null) element.after(new Comment(after))
}

function sourceOf(nodes: readonly Node[]): string {
  const holder = parse('')
  holder.append(...nodes.map((node) => node.cloneNode(true)))
  return holder.innerHTML
}

function endOfBlock(nodes: readonly Node[], start: number): number {
  let depth = 0
  for (let at = start; at < nodes.length; at++) {
    if (isOpening(nodes[at])) depth++
    else if (isClosing(nodes[at]) && --depth === 0) return at + 1
  }
  return start + 1
}

function endOfRun(nodes: readonly Node[], start: number): number {
  let at = start
  while (at < nodes.length && isRun(nodes[at])) at++
  return at
}

function isOpening(node: Node | undefined): node is Comment {
  const [, slash, isVoid] = (node instanceof Comment && BLOCK_COMMENT.exec(node.data)) || []
  return slash === '' && isVoid === ''
}

function isClosing(node: Node | undefined): boolean {
  return node instanceof Comment && BLOCK_COMMENT.exec(node.data)?.[1] === '/'
}

const isBlank = (node: Node) => node instanceof Text && node.data.trim() === ''
const LINE = new Set(['A', 'B', 'I', 'EM', 'STRONG', 'IMG', 'BR', 'CODE', 'SPAN', 'U', 'S'])
const isRun = (node: Node | undefined) => node instanceof Text || (node instanceof Element && LINE.has(node.tagName))
