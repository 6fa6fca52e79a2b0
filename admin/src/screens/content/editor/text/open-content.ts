import { type Node, type Schema, DOMParser as SchemaParser } from '@tiptap/pm/model'
import { toParagraphs } from '../../../../../../cms/content/render/autop.ts'
import { BLOCK, BLOCK_TYPES } from './block-comments.ts'
import { isSameHtml } from './same-html.ts'
import { hasBlocks, INLINE, type Segment, segmentsOf } from './segments.ts'
import { createWriter, type Format } from './write-block.ts'

type DomNode = globalThis.Node

/** Stored content as a document of the visual editor. */
export interface OpenedContent {
  readonly doc: Node
  /** Whether it is a post of the classic editor: HTML without blocks. */
  readonly isClassic: boolean
  /** The stored form of the edited document: blocks that have not changed, and the space between them, are the same bytes. */
  store(edited: Node): string
}

/** An opening, closing, or void block comment: `wp:image {"id":4}`, `/wp:image`, `wp:latest-posts /`. */
const BLOCK_COMMENT = /^\s*(\/?)wp:([\s\S]*?)(\/?)\s*$/

/** Whether the content is a sequence of blocks. If not, such as HTML with an end tag that closes nothing, it can be edited as HTML only. */
export function isVisual(content: string): boolean {
  return isSequence(content, segmentsOf(content).segments)
}

function isSequence(content: string, segments: readonly Segment[]): boolean {
  const isClassic = !hasBlocks(content)
  const shown = parse('')
  for (const { source } of segments) shown.append(...asShown(source, isClassic).childNodes)
  return isSameHtml(asShown(content, isClassic), shown)
}

/**
 * Opens stored content in the visual editor. Lines become paragraphs as on the site, and a block that the editor would change
 * becomes an HTML block.
 */
export function openContent(content: string, schema: Schema): OpenedContent {
  const isClassic = !hasBlocks(content)
  const found = segmentsOf(content)
  const { segments, end } = isSequence(content, found.segments)
    ? found
    : { segments: [{ gap: '', source: content }], end: '' }
  const write = createWriter(schema)
  const nodes = segments.map(({ source }, origin) => nodeOf(source, origin))
  const doc = schema.topNodeType.create(null, nodes.length > 0 ? nodes : schema.nodes.paragraph?.create())

  function nodeOf(source: string, origin: number): Node {
    const body = asShown(source, isClassic)
    const node = visualNode(body)
    const isSame = node && isSameHtml(body, parse(write(node, isClassic ? 'classic' : 'blocks')))
    const html = schema.nodes.htmlBlock
    if (!isSame && html) return html.create({ html: source, origin })
    return schema.node(node?.type ?? 'paragraph', { ...node?.attrs, origin }, node?.content)
  }

  function visualNode(body: HTMLElement): Node | null {
    const [first, ...others] = [...body.childNodes].filter((child) => !isBlank(child))
    const isBlock = first instanceof Element ? others.length === 0 : isOpening(first) && others.length === 2
    if (!isBlock) return null
    const marked = parse('')
    marked.append(...[...body.childNodes].map((child) => child.cloneNode(true)))
    markBlocks(marked)
    const parsed = SchemaParser.fromSchema(schema).parse(marked)
    return parsed.childCount === 1 ? parsed.firstChild : null
  }

  return {
    doc,
    isClassic: isClassic && content.trim() !== '',
    store(edited) {
      if (edited.eq(doc)) return content
      if (isEmpty(edited)) return ''
      const format: Format = this.isClassic && !needsBlocks(edited) ? 'classic' : 'blocks'
      // WordPress makes no paragraphs of lines once content has blocks.
      const convert = isClassic && format === 'blocks'
      let text = ''
      let last = -1
      edited.forEach((node, offset, index) => {
        if (isEndOfWriting(node) && offset + node.nodeSize === edited.content.size) return
        const origin: unknown = node.attrs.origin
        const known = typeof origin === 'number' ? origin : undefined
        const segment = known === undefined ? undefined : segments[known]
        const follows = known !== undefined && known === last + 1 && (index === 0) === (known === 0)
        text += follows && segment ? segment.gap : index === 0 ? '' : '\n\n'
        const isUnchanged = segment !== undefined && nodes[known ?? -1]?.eq(node)
        if (isUnchanged) text += convert ? toParagraphs(segment.source).trim() : segment.source
        else
          text +=
            format === 'classic' && segment ? likeSource(write(node, format), segment.source) : write(node, format)
        last = known ?? Number.NaN
      })
      return last === segments.length - 1 ? text + end : text
    },
  }
}

/** Blocks of other content for a document, in which their place there says nothing. */
export function copiedBlocks(content: string, schema: Schema): Node[] {
  const nodes = openContent(content, schema).doc.content.content
  return nodes.map((node) => schema.node(node.type, { ...node.attrs, origin: null }, node.content))
}

/** A paragraph that was stored as a line of text stays one. */
function likeSource(html: string, source: string): string {
  return source.startsWith('<p') ? html : html.replace(/^<p>(\S[\s\S]*)<\/p>$/, '$1')
}

function isEmpty(doc: Node): boolean {
  return doc.childCount === 1 && doc.firstChild?.type.name === 'paragraph' && doc.firstChild.childCount === 0
}

/** The empty line to go on writing, last in the document. */
function isEndOfWriting({ type, attrs, childCount }: Node): boolean {
  return type.name === 'paragraph' && childCount === 0 && attrs.origin === null
}

/** Whether the document has a block of the block editor, or one that HTML alone can't express. */
function needsBlocks(doc: Node): boolean {
  let needs = false
  doc.descendants(({ type, attrs }) => {
    needs ||= (typeof attrs.block === 'string' && attrs.block !== '') || BLOCK_TYPES[type.name]?.isBlockOnly === true
    return !needs
  })
  return needs
}

/** The content with line breaks converted to paragraphs, as on the site. */
function asShown(content: string, isClassic: boolean): HTMLElement {
  const body = parse(isClassic ? toParagraphs(content) : content)
  // `<!--more-->` on its own line is not a paragraph.
  for (const paragraph of body.querySelectorAll(':scope > p')) {
    const [only] = paragraph.childNodes
    if (only instanceof Comment && paragraph.childNodes.length === 1) paragraph.replaceWith(only)
  }
  let run: DomNode[] = []
  for (const node of [...body.childNodes, null]) {
    if (node && isRun(node)) run.push(node)
    else {
      wrap(run)
      run = []
    }
  }
  return body
}

/** Text between blocks becomes a paragraph; a shortcode may be a block of its own. */
function wrap(run: readonly DomNode[]): void {
  const text = run.map((node) => node.textContent ?? '').join('')
  const isShortcode = text.trim().startsWith('[') && text.trim().endsWith(']')
  const [first] = run
  if (isShortcode || run.every(isBlank) || !(first instanceof Text || first instanceof Element)) return
  const paragraph = first.ownerDocument.createElement('p')
  first.before(paragraph)
  paragraph.append(...run)
}

/** A detached document: nothing is loaded or run. */
function parse(html: string): HTMLElement {
  return new DOMParser().parseFromString(`<body>${html}`, 'text/html').body
}

/** The comments of blocks become attributes of their elements; elements without any get an empty one. */
function markBlocks(root: HTMLElement): void {
  for (const element of root.querySelectorAll('*')) element.setAttribute(BLOCK, '')
  for (const parent of [root, ...root.querySelectorAll('*')]) {
    const children = [...parent.childNodes].filter((node) => !isBlank(node))
    children.forEach((before, at) => {
      const [element, after] = [children[at + 1], children[at + 2]]
      if (!isOpening(before) || !(element instanceof Element) || !(after instanceof Comment)) return
      element.setAttribute(BLOCK, BLOCK_COMMENT.exec(before.data)?.[2]?.trim() ?? '')
      before.remove()
      after.remove()
    })
  }
}

function isOpening(node: DomNode | undefined): node is Comment {
  const [, slash, , isVoid] = (node instanceof Comment && BLOCK_COMMENT.exec(node.data)) || []
  return slash === '' && isVoid === ''
}

const isBlank = (node: DomNode) => node instanceof Text && node.data.trim() === ''
const isRun = (node: DomNode) => node instanceof Text || (node instanceof Element && INLINE.has(node.localName))
