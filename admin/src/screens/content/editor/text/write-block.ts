import { DOMSerializer, type Node, type Schema } from '@tiptap/pm/model'
import { BLOCK, BLOCK_TYPES, commentOf, parseComment } from './block-comments.ts'
import { onlyParagraph } from './same-html.ts'

/** `blocks` is the block editor's format, with comments around blocks; `classic` is HTML. */
export type Format = 'blocks' | 'classic'

const NODE = 'data-node'
/** Marks a table that was inserted, not read. */
const NEW = 'data-new'

/** Creates a function that writes a top-level node of the editor in its stored form. */
export function createWriter(schema: Schema): (node: Node, format: Format) => string {
  const rendered: Node[] = []
  const nodes = Object.entries(DOMSerializer.nodesFromSchema(schema)).map(([name, render]) => {
    return [
      name,
      (node: Node) => {
        const spec = render(node)
        if (!Array.isArray(spec)) return spec
        const [tag, second, ...others] = spec
        const id = { [NODE]: rendered.push(node) - 1 }
        const hasAttributes = typeof second === 'object' && !Array.isArray(second) && !('nodeType' in second)
        return hasAttributes ? [tag, { ...second, ...id }, ...others] : [tag, id, ...spec.slice(1)]
      },
    ]
  })
  const serializer = new DOMSerializer(Object.fromEntries(nodes), DOMSerializer.marksFromSchema(schema))

  return (node, format) => {
    if (node.type.name === 'htmlBlock') return writeHtml(node, format)
    rendered.length = 0
    const body = document.implementation.createHTMLDocument().body
    body.append(serializer.serializeNode(node, { document: body.ownerDocument }))
    finish(body, rendered, format)
    return format === 'classic' ? body.innerHTML : escapeCode(closeVoidElements(body.innerHTML))
  }
}

function writeHtml({ attrs }: Node, format: Format): string {
  const html = String(attrs.html)
  const isStored = attrs.origin !== null || html.startsWith('<!-- wp:')
  return isStored || format === 'classic' ? html : `<!-- wp:html -->\n${html}\n<!-- /wp:html -->`
}

function finish(body: HTMLElement, rendered: readonly Node[], format: Format): void {
  const isBlock = new Map<Element, boolean>()
  for (const element of body.querySelectorAll(`[${NODE}]`)) {
    const node = rendered[Number(element.getAttribute(NODE))]
    element.removeAttribute(NODE)
    element.removeAttribute(BLOCK)
    if (!node) continue
    // As it was stored: the browser has formatted it.
    const style: unknown = node.attrs.kept?.style
    if (typeof style === 'string') element.setAttribute('style', style)
    const parent = [...ancestorsOf(element)].find((ancestor) => isBlock.has(ancestor))
    const comment = format === 'blocks' && isInBlock(element, parent, isBlock) ? commentFor(element, node) : ''
    isBlock.set(element, comment !== '')
    // A table of the block editor has a figure around it.
    const isAlone = !parent || isBlock.get(parent) === true
    if (node.type.name === 'table' && node.attrs.block === null && isAlone && parent?.tagName !== 'FIGURE')
      element.setAttribute(NEW, '')
    if (comment !== '') surround(element, comment)
  }
  for (const element of body.querySelectorAll('li, td, th')) {
    const paragraph = onlyParagraph(element)
    paragraph?.replaceWith(...paragraph.childNodes)
  }
  for (const part of body.querySelectorAll('figcaption, cite')) if (!part.hasChildNodes()) part.remove()
  for (const table of body.querySelectorAll('table')) finishTable(table, format)
}

function finishTable(table: HTMLTableElement, format: Format): void {
  table.querySelector(':scope > colgroup')?.remove()
  if (table.style.minWidth !== '') table.style.removeProperty('min-width')
  if (table.getAttribute('style') === '') table.removeAttribute('style')
  const isNew = table.hasAttribute(NEW)
  table.removeAttribute(NEW)
  if (isNew && format === 'blocks') {
    const figure = table.ownerDocument.createElement('figure')
    figure.className = 'wp-block-table'
    table.replaceWith(figure)
    for (const { name } of [...table.attributes]) table.removeAttribute(name)
    figure.append(table)
    surround(figure, 'table')
  }
  if (!table.parentElement?.classList.contains('wp-block-table')) return
  const rows = [...table.rows]
  const end = rows.findIndex(({ cells }) => [...cells].some(({ tagName }) => tagName === 'TD'))
  if (end !== 0 && rows.length > 0) table.createTHead().append(...rows.slice(0, end < 0 ? rows.length : end))
  for (const body of [...table.tBodies]) if (body.rows.length === 0) body.remove()
}

function* ancestorsOf(element: Element): Generator<Element> {
  for (let at = element.parentElement; at; at = at.parentElement) yield at
}

/** Blocks are top-level or in other blocks; the text of a list item or pull quote is not a block of its own. */
function isInBlock(element: Element, parent: Element | undefined, isBlock: ReadonlyMap<Element, boolean>): boolean {
  if (!parent) return true
  return isBlock.get(parent) === true && !(element.tagName === 'P' && ['LI', 'FIGURE'].includes(parent.tagName))
}

/** The comment of the block; a new one has the class that WordPress expects and no other. */
function commentFor(element: Element, node: Node): string {
  const stored: unknown = node.attrs.block
  const type = BLOCK_TYPES[node.type.name]
  if (!type || stored === '') return ''
  const known = typeof stored === 'string' ? stored : null
  if (known === null || parseComment(known).name !== type.name) {
    element.removeAttribute('style')
    element.removeAttribute('class')
    if (type.className) element.className = type.className
    // The language after ```; WordPress's block has none.
    if (type.name === 'code') element.firstElementChild?.removeAttribute('class')
  }
  return commentOf(node, known)
}

function surround(element: Element, comment: string): void {
  const [name] = comment.split(' ', 1)
  const isFollowing = element.previousSibling instanceof Comment
  element.before(...(isFollowing ? ['\n\n'] : []), new Comment(` wp:${comment} `), '\n')
  element.after('\n', new Comment(` /wp:${name} `))
}

/** Escapes what would be a shortcode or an embedded URL in code, as the `save` function of WordPress's code block does. */
function escapeCode(html: string): string {
  return html.replaceAll(/(<pre class="wp-block-code[^>]*><code[^>]*>)([^<]*)/g, (_, start: string, code: string) => {
    const withoutUrls = code.replaceAll(/^(\s*https?:)\/\/([^\s<>"]+\s*)$/gm, '$1&#47;&#47;$2')
    return start + withoutUrls.replaceAll('[', '&#91;')
  })
}

/** As WordPress writes them, so that an unchanged block is the same byte by byte. */
function closeVoidElements(html: string): string {
  return html
    .replaceAll(/<(?:img|hr)(?:\s+[^\s=>"]+(?:="[^"]*")?)*(?=>)/g, '$&/')
    .replaceAll(/ (controls|download|autoplay|loop|muted|playsinline|open)=""/g, ' $1')
}
