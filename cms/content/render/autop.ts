/**
 * WordPress's `wpautop`, step for step as in `@wordpress/autop`, but each step is one walk over the text: the regular
 * expressions of both try again from every character, so that a comment of blanks or of open tags took them seconds.
 */

import { blanksEnd, blanksStart, createFinder, rewrite } from './scan.ts'

const BLOCK =
  'table|thead|tfoot|caption|col|colgroup|tbody|tr|td|th|div|dl|dd|dt|ul|ol|li|pre|form|map|area|blockquote|address|math|style|p|h[1-6]|hr|fieldset|legend|section|article|aside|hgroup|header|footer|nav|figure|figcaption|details|menu|summary'
/** Whether a name in lower case is that of an element that is a block of its own. */
export const isAutopBlock = (name: string) => BLOCK_NAME.test(name)
const BLOCK_NAME = new RegExp(`^(?:${BLOCK})$`)
const BLOCK_STARTS = new RegExp(`<(?:${BLOCK})[\\s/>]`, 'g')
const BLOCK_ENDS = new RegExp(`</(?:${BLOCK})>`, 'g')
/** Start of a block's tag; as in WordPress, any name that starts with that of a block. */
const BLOCK_TAG = new RegExp(`</?(?:${BLOCK})`, 'g')
const BLOCK_TAG_HERE = new RegExp(`</?(?:${BLOCK})`, 'y')

/** Placeholder for a line break within a tag while paragraphs are created. */
const LINE_BREAK_IN_TAG = '<!-- wpnl -->'
/** Placeholder for a line break in code. */
const LINE_BREAK_IN_CODE = '<WPPreserveNewline />'

/** Paragraphs where there are empty lines, `<br />` where there is a line break; blocks and `<pre>` stay as they are. */
export function toParagraphs(text: string): string {
  if (text.trim() === '') return ''
  const { outside, preformatted } = takePreformatted(`${text}\n`)
  const spread = separateBlocks(outside)
  const joined = joinParts(hideLineBreaksInTags(spread)).replaceAll(/\n\n+/g, '\n\n')
  const marked = markLines(tidyBlocks(splitParagraphs(joined)))
  return showLineBreaksInTags(putPreformatted(marked, preformatted))
}

/** Replaces each `<pre>…</pre>` with a placeholder. */
function takePreformatted(text: string): { outside: string; preformatted: Map<string, string> } {
  const preformatted = new Map<string, string>()
  if (!text.includes('<pre')) return { outside: text, preformatted }
  const parts = text.split('</pre>')
  const last = parts.pop() ?? ''
  const outside = parts.map((part, index) => {
    const start = part.indexOf('<pre')
    if (start < 0) return part
    preformatted.set(String(index), `${part.slice(start)}</pre>`)
    return `${part.slice(0, start)}<pre wp-pre-tag-${index}></pre>`
  })
  return { outside: outside.join('') + last, preformatted }
}

function putPreformatted(text: string, preformatted: ReadonlyMap<string, string>): string {
  if (preformatted.size === 0) return text
  return text.replaceAll(/<pre wp-pre-tag-(\d+)><\/pre>/g, (mark, index: string) => preformatted.get(index) ?? mark)
}

/** Empty lines for two `<br>` in a row and around blocks. */
function separateBlocks(text: string): string {
  return rewrite(text, /<br\s*\/?>/g, (start, end) => {
    const second = /<br\s*\/?>/y
    second.lastIndex = blanksEnd(text, end)
    return second.test(text) ? { start, end: second.lastIndex, put: '\n\n' } : undefined
  })
    .replaceAll(BLOCK_STARTS, '\n\n$&')
    .replaceAll(BLOCK_ENDS, '$&\n\n')
    .replaceAll(/\r\n?/g, '\n')
}

function hideLineBreaksInTags(text: string): string {
  const findLineBreak = createFinder(text, /\n/g)
  return rewrite(text, /</g, (start) => {
    const end = tagEnd(text, start)
    const lineBreak = findLineBreak(start)
    if (lineBreak < 0 || lineBreak >= end) return end
    return { start, end, put: text.slice(start, end).replaceAll('\n', ` ${LINE_BREAK_IN_TAG} `) }
  })
}

/** End of the tag, comment or CDATA section that starts there; WordPress's `get_html_split_regex`. */
function tagEnd(text: string, start: number): number {
  if (text.startsWith('<!--', start)) return endAfter(text, '-->', start + 2)
  if (!text.startsWith('<![CDATA[', start)) return endAfter(text, '>', start)
  const bracket = text.indexOf(']', start + '<![CDATA['.length)
  if (bracket < 0) return text.length
  return text.startsWith(']]>', bracket) ? bracket + 3 : bracket
}

function endAfter(text: string, needle: string, from: number): number {
  const at = text.indexOf(needle, from)
  return at < 0 ? text.length : at + needle.length
}

function showLineBreaksInTags(text: string): string {
  return text.includes(LINE_BREAK_IN_TAG) ? text.replaceAll(/\s?<!-- wpnl -->\s?/g, '\n') : text
}

/** Elements whose children are not wrapped in paragraphs. */
function joinParts(text: string): string {
  let joined = text
  if (joined.includes('<option')) {
    joined = withoutBlanksAfter(withoutBlanksBefore(joined, /<option/g), /<\/option>/g)
  }
  if (joined.includes('</object>')) {
    joined = withoutBlanksAfter(joined, /<object/g, /[>]/g)
    joined = withoutBlanksBefore(joined, /<\/object>/g)
    joined = withoutBlanksAround(joined, /<\/?(?:param|embed)/g)
  }
  if (joined.includes('<source') || joined.includes('<track')) {
    joined = withoutBlanksAfter(joined, /[<[](?:audio|video)/g, /[>\]]/g)
    joined = withoutBlanksBefore(joined, /[<[]\/(?:audio|video)[>\]]/g)
    joined = withoutBlanksAround(joined, /<(?:source|track)/g)
  }
  const caption = joined.indexOf('<figcaption')
  if (caption >= 0) {
    // As in the npm package, and unlike in PHP, only for the first one.
    if (joined.includes('>', caption)) joined = joined.slice(0, blanksStart(joined, caption)) + joined.slice(caption)
    const end = joined.indexOf('</figcaption>') + '</figcaption>'.length
    if (end >= '</figcaption>'.length) joined = joined.slice(0, end) + joined.slice(blanksEnd(joined, end))
  }
  return joined
}

function withoutBlanksBefore(text: string, found: RegExp): string {
  return rewrite(text, found, (start, end, done) => {
    return { start: blanksStart(text, start, done), end, put: text.slice(start, end) }
  })
}

/** @param until what ends the tag that `found` begins */
function withoutBlanksAfter(text: string, found: RegExp, until?: RegExp): string {
  const findEnd = until && createFinder(text, until)
  return rewrite(text, found, (start, end) => {
    const close = findEnd ? findEnd(end) + 1 : end
    if (close === 0) return undefined
    return { start, end: blanksEnd(text, close), put: text.slice(start, close) }
  })
}

function withoutBlanksAround(text: string, found: RegExp): string {
  const findEnd = createFinder(text, /[>]/g)
  return rewrite(text, found, (start, end, done) => {
    const close = findEnd(end) + 1
    if (close === 0) return undefined
    return { start: blanksStart(text, start, done), end: blanksEnd(text, close), put: text.slice(start, close) }
  })
}

function splitParagraphs(text: string): string {
  return text
    .split(/\n\s*\n/)
    .filter((part) => part !== '')
    .map((part) => `<p>${trimLines(part)}</p>\n`)
    .join('')
}

/** There is at most one line break on either side: two would have split the text. */
function trimLines(text: string): string {
  const from = text.startsWith('\n') ? 1 : 0
  return text.slice(from, text.endsWith('\n') ? Math.max(from, text.length - 1) : undefined)
}

/** Removes paragraphs around blocks. */
function tidyBlocks(paragraphs: string): string {
  let text = paragraphs.replaceAll(/<p>\s*<\/p>/g, '')
  text = text.replaceAll(/<p>([^<]+)<\/(div|address|form)>/g, '<p>$1</p></$2>')
  text = afterParagraphStart(text, (from, close) => {
    const end = blanksEnd(text, close)
    return text.startsWith('</p>', end) ? { end: end + 4, put: text.slice(from, close) } : undefined
  })
  text = unwrapListItems(text)
  text = wrapInBlockquotes(text).replaceAll('</blockquote></p>', '</p></blockquote>')
  text = afterParagraphStart(text, (from, close) => ({ end: close, put: text.slice(from, close) }))
  return beforeAfterBlock(text, '</p>')
}

/** Applies `change` to each `<p>` that contains a block's tag between the two offsets. */
function afterParagraphStart(
  text: string,
  change: (from: number, close: number) => { end: number; put: string } | undefined,
): string {
  const findEnd = createFinder(text, /[>]/g)
  return rewrite(text, /<p>/g, (start, end) => {
    const from = blanksEnd(text, end)
    BLOCK_TAG_HERE.lastIndex = from
    if (!BLOCK_TAG_HERE.test(text)) return undefined
    const close = findEnd(BLOCK_TAG_HERE.lastIndex) + 1
    const changed = close > 0 ? change(from, close) : undefined
    return changed && { start, ...changed }
  })
}

/** `<p><li>…</p>` on one line. */
function unwrapListItems(text: string): string {
  const findEnd = createFinder(text, /<\/p>/g)
  const findLineEnd = createFinder(text, /[\n\r\u2028\u2029]/g)
  return rewrite(text, /<p><li/g, (start, end) => {
    const lineEnd = findLineEnd(end)
    const close = findEnd(end + 1)
    if (close < 0 || (lineEnd >= 0 && lineEnd < close)) return undefined
    return { start, end: close + '</p>'.length, put: text.slice(start + '<p>'.length, close) }
  })
}

function wrapInBlockquotes(text: string): string {
  const findEnd = createFinder(text, /[>]/g)
  return rewrite(text, /<p><blockquote/gi, (start, end) => {
    const close = findEnd(end)
    return close < 0 ? undefined : { start, end: close + 1, put: `<blockquote${text.slice(end, close)}><p>` }
  })
}

/** Removes `unwanted` and the preceding whitespace after each block's tag. */
function beforeAfterBlock(text: string, unwanted: string): string {
  const findEnd = createFinder(text, /[>]/g)
  /** The end of the last tag that had nothing unwanted behind it: of many tags begun before it none has. */
  let looked = -1
  return rewrite(text, BLOCK_TAG, (start, end) => {
    const close = findEnd(end) + 1
    if (close === 0 || close === looked) return undefined
    const after = blanksEnd(text, close)
    if (text.startsWith(unwanted, after)) {
      return { start, end: after + unwanted.length, put: text.slice(start, close) }
    }
    looked = close
    return undefined
  })
}

/** `<br />` for line breaks, but not in code and not around blocks. */
function markLines(paragraphs: string): string {
  let text = hideLineBreaksInCode(paragraphs).replaceAll(/<br>|<br\/>/g, '<br />')
  text = rewrite(text, /\s+/g, (start, end) => {
    const blanks = text.slice(start, end)
    const lines = blanks.lastIndexOf('\n') + 1
    if (lines === 0 || text.endsWith('<br />', start)) return end
    return { start, end, put: `<br />\n${blanks.slice(lines)}` }
  })
  text = beforeAfterBlock(text.replaceAll(LINE_BREAK_IN_CODE, '\n'), '<br />')
  text = withoutBreaksBeforeBlocks(text)
  return text.endsWith('\n</p>') ? `${text.slice(0, -'\n</p>'.length)}</p>` : text
}

function hideLineBreaksInCode(text: string): string {
  const ends = new Map(
    ['script', 'style', 'svg', 'math'].map((name) => [name, createFinder(text, new RegExp(`</${name}>`, 'g'))]),
  )
  return rewrite(text, /<(?:script|style|svg|math)/g, (start, end) => {
    const name = text.slice(start + 1, end)
    const close = ends.get(name)?.(end) ?? -1
    if (close < 0) return undefined
    return {
      start,
      end: close + name.length + 3,
      put: `${text.slice(start, close).replaceAll('\n', LINE_BREAK_IN_CODE)}</${name}>`,
    }
  })
}

const BREAK_BEFORE = /<\/?(?:p|li|div|dl|dd|dt|th|pre|td|ul|ol)/y

function withoutBreaksBeforeBlocks(text: string): string {
  const findEnd = createFinder(text, /[>]/g)
  return rewrite(text, /<br \/>/g, (start, end) => {
    BREAK_BEFORE.lastIndex = blanksEnd(text, end)
    if (!BREAK_BEFORE.test(text)) return undefined
    const close = findEnd(BREAK_BEFORE.lastIndex) + 1
    return close === 0 ? undefined : { start, end: close, put: text.slice(end, close) }
  })
}
