import { parseHtml } from '../../../../parts/parse-html.ts'

/** Elements that say nothing once their styles are gone. */
const WRAPPERS = 'span, font'
/** Attributes that pasted content keeps; all others are the look of the page or program that it comes from. */
const KEPT = new Set(['href', 'src', 'alt', 'title', 'colspan', 'rowspan', 'start'])

/**
 * Cleans pasted HTML: the lists of Word become lists, styles that mean bold, italic, or struck through become elements, and all
 * other styles and classes are dropped. What was copied in this editor, or in WordPress's, is left alone.
 */
export function cleanPaste(html: string): string {
  if (html.includes('data-pm-slice') || html.includes('<!-- wp:')) return html
  const content = parseHtml(html)
  const body = content.ownerDocument.createElement('div')
  body.append(content)
  for (const useless of body.querySelectorAll('style, script, meta, link, title, xml, o\\:p, w\\:sdt')) {
    if (useless.localName === 'o:p' || useless.localName === 'w:sdt') useless.replaceWith(...useless.childNodes)
    else useless.remove()
  }
  removeComments(body)
  makeLists(body)
  for (const element of body.querySelectorAll<HTMLElement>('*')) addMarks(element)
  for (const element of [...body.querySelectorAll<HTMLElement>('b, strong, i, em')])
    if (isNotStyled(element)) element.replaceWith(...element.childNodes)
  for (const element of body.querySelectorAll('*')) {
    for (const { name } of [...element.attributes]) if (!KEPT.has(name)) element.removeAttribute(name)
  }
  for (const wrapper of [...body.querySelectorAll(WRAPPERS)]) wrapper.replaceWith(...wrapper.childNodes)
  // Files on the computer that it was copied from.
  for (const image of body.querySelectorAll('img[src^="file:"]')) image.remove()
  for (const empty of [...body.querySelectorAll('p')])
    if (empty.textContent?.trim() === '' && !empty.querySelector('img')) empty.remove()
  // Google Docs puts a line break between blocks.
  for (const lineBreak of body.querySelectorAll(':scope > br')) lineBreak.remove()
  return body.innerHTML
}

/** Word's conditional comments are comments in the document; `<![if !supportLists]>` as well. */
function removeComments(body: HTMLElement): void {
  const walker = body.ownerDocument.createTreeWalker(body, NodeFilter.SHOW_COMMENT)
  const comments: Node[] = []
  while (walker.nextNode()) comments.push(walker.currentNode)
  for (const comment of comments) if (comment instanceof Comment) comment.remove()
}

/** Google Docs wraps all in `<b style="font-weight:normal">`. */
function isNotStyled({ localName, style }: HTMLElement): boolean {
  if (localName === 'b' || localName === 'strong') return ['normal', '400'].includes(style.fontWeight)
  return style.fontStyle === 'normal'
}

/** Styles that carry meaning become elements. */
function addMarks(element: HTMLElement): void {
  if (element.localName !== 'span') return
  const { fontWeight, fontStyle, textDecorationLine, textDecoration, verticalAlign } = element.style
  const wrap = (name: string) => {
    const mark = element.ownerDocument.createElement(name)
    mark.append(...element.childNodes)
    element.append(mark)
  }
  if (fontWeight === 'bold' || Number(fontWeight) >= 600) wrap('strong')
  if (fontStyle === 'italic') wrap('em')
  if (/line-through/.test(textDecorationLine || textDecoration)) wrap('s')
  if (verticalAlign === 'super') wrap('sup')
  if (verticalAlign === 'sub') wrap('sub')
}

/** Word marks the paragraphs of a list: `<p class="MsoListParagraph" style="mso-list:l0 level1 lfo1">`, with the bullet as text. */
function makeLists(body: HTMLElement): void {
  const open: { readonly list: HTMLElement; readonly level: number; readonly id: string }[] = []
  for (const paragraph of [...body.querySelectorAll<HTMLElement>('p, h1, h2, h3, h4, h5, h6')]) {
    const [, id = '', level] = /mso-list:\s*(l\d+)\s+level(\d+)/i.exec(paragraph.getAttribute('style') ?? '') ?? []
    if (level === undefined) {
      open.length = 0
      continue
    }
    const bullet = paragraph.querySelector<HTMLElement>('[style*="mso-list:Ignore" i], [style*="mso-list: Ignore" i]')
    const isOrdered = /^\s*(?:\d+|[a-z]{1,4})[.)]/i.test(bullet?.textContent ?? '')
    bullet?.remove()
    const depth = Number(level)
    while (open.length > 0 && ((open.at(-1)?.level ?? 0) > depth || open.at(-1)?.id !== id)) open.pop()
    let current = open.at(-1)
    if (!current || current.level < depth) {
      const list = body.ownerDocument.createElement(isOrdered ? 'ol' : 'ul')
      const parent = current?.list.lastElementChild
      if (parent) parent.append(list)
      else paragraph.before(list)
      current = { list, level: depth, id }
      open.push(current)
    }
    const item = body.ownerDocument.createElement('li')
    const text = body.ownerDocument.createElement('p')
    text.append(...paragraph.childNodes)
    item.append(text)
    current.list.append(item)
    paragraph.remove()
  }
}
