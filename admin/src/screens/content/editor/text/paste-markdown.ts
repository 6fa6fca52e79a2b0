import { Fragment, type ResolvedPos, DOMParser as SchemaParser, Slice } from '@tiptap/pm/model'
import { micromark } from 'micromark'
import { gfmStrikethrough, gfmStrikethroughHtml } from 'micromark-extension-gfm-strikethrough'
import { gfmTable, gfmTableHtml } from 'micromark-extension-gfm-table'
import { cleanPaste } from './clean-paste.ts'
import { copiedBlocks } from './open-content.ts'
import { hasBlocks } from './segments.ts'

/** Characters of a text that is searched for Markdown, in the page's only thread. */
const LONGEST = 50_000
/** What micromark takes quadratic time for: quotes, lists, underlined headings, emphasis, links, and escapes. */
const MARKS = /[*_`=~-]+|[>[<+\\]|\d[.)]/g
/** Marks of such a text. */
const MOST_MARKS = 2000
/** Its lines: each is compared with the open quotes and lists. */
const MOST_LINES = 5000
/** Cells of its tables, whose short rows are filled up. */
const MOST_CELLS = 20_000
/** HTML is text, and lines of other texts are indented too. */
const DISABLED = ['codeIndented', 'htmlFlow', 'htmlText']
/** Elements that text without Markdown has none of. */
const MARKED_UP = 'h1, h2, h3, h4, h5, h6, ul, ol, blockquote, pre, table, hr, strong, em, del, code, a, img'
/** Elements that begin and end a line. */
const LINES = 'p, h1, h2, h3, h4, h5, h6, ul, ol, li, blockquote, pre, table, thead, tbody, tr, th, td, hr, br'

/**
 * The content of pasted text without HTML, for `clipboardTextParser`: stored blocks are blocks, and Markdown becomes blocks. A line break
 * stays one, and HTML is text. Text without Markdown, with too much of it, or pasted as plain text (`Ctrl`+`Shift`+`V`), becomes paragraphs.
 */
export function pasteMarkdown(text: string, $context: ResolvedPos, isPlain: boolean): Slice {
  const { schema } = $context.doc.type
  if (!isPlain && hasBlocks(text)) return new Slice(Fragment.from(copiedBlocks(text, schema)), 0, 0)
  if (isPlain || isSlow(text)) return paragraphsOf(text, $context)
  const html = micromark(text, {
    extensions: [gfmTable(), gfmStrikethrough({ singleTilde: false }), { disable: { null: DISABLED } }],
    htmlExtensions: [gfmTableHtml(), gfmStrikethroughHtml()],
  })
  const { body } = new DOMParser().parseFromString(cleanPaste(html), 'text/html')
  if (!body.querySelector(MARKED_UP)) return paragraphsOf(text, $context)
  // A code block ends with a line break in HTML, but not in the editor.
  for (const code of body.querySelectorAll('pre > code')) code.textContent = code.textContent?.replace(/\n$/, '') ?? ''
  breakLines(body)
  return SchemaParser.fromSchema(schema).parseSlice(body, { context: $context })
}

/** Whether reading it as Markdown could take longer than a second. */
function isSlow(text: string): boolean {
  if (text.length > LONGEST || (text.match(MARKS)?.length ?? 0) > MOST_MARKS) return true
  const lines = text.split('\n')
  if (lines.length > MOST_LINES) return true
  return Math.max(...lines.map((line) => line.split('|').length - 1)) * lines.length > MOST_CELLS
}

/** A paragraph for each line. */
function paragraphsOf(text: string, $context: ResolvedPos): Slice {
  const { schema } = $context.doc.type
  const lines = text.split(/[\r\n]+/)
  const paragraphs = lines.map((line) =>
    schema.node('paragraph', null, line ? schema.text(line, $context.marks()) : []),
  )
  return Slice.maxOpen(Fragment.from(paragraphs))
}

/** Line breaks within a line of text become `<br>`. */
function breakLines(body: HTMLElement): void {
  const { ownerDocument } = body
  const walker = ownerDocument.createTreeWalker(body, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walker.nextNode()) if (walker.currentNode instanceof Text) texts.push(walker.currentNode)
  for (const text of texts) {
    if (text.parentElement?.closest('pre')) continue
    const begun = isEdge(text.previousSibling) ? text.data.trimStart() : text.data
    const [first = '', ...lines] = (isEdge(text.nextSibling) ? begun.trimEnd() : begun).split('\n')
    text.replaceWith(first, ...lines.flatMap((line) => [ownerDocument.createElement('br'), line]))
  }
}

/** Whether a line begins or ends there anyway. */
function isEdge(sibling: ChildNode | null): boolean {
  return sibling === null || (sibling instanceof Element && sibling.matches(LINES))
}
