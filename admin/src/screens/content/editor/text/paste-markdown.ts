import { Fragment, type ResolvedPos, DOMParser as SchemaParser, Slice } from '@tiptap/pm/model'
import { micromark } from 'micromark'
import { gfmStrikethrough, gfmStrikethroughHtml } from 'micromark-extension-gfm-strikethrough'
import { gfmTable, gfmTableHtml } from 'micromark-extension-gfm-table'
import { cleanPaste } from './clean-paste.ts'

/** Characters: a longer text is not searched for Markdown. */
const LONGEST = 500_000
/** Elements that text without Markdown has none of. */
const MARKED_UP = 'h1, h2, h3, h4, h5, h6, ul, ol, blockquote, pre, table, hr, strong, em, del, code, a, img'
/** Elements that begin and end a line. */
const LINES = 'p, h1, h2, h3, h4, h5, h6, ul, ol, li, blockquote, pre, table, thead, tbody, tr, th, td, hr, br'

/**
 * The content of pasted text without HTML, for `clipboardTextParser`: Markdown becomes blocks. As in WordPress, a line break stays
 * one, and HTML is text. Text without Markdown, or pasted as plain text (`Ctrl`+`Shift`+`V`), becomes paragraphs.
 */
export function pasteMarkdown(text: string, $context: ResolvedPos, isPlain: boolean): Slice {
  if (isPlain || text.length > LONGEST) return paragraphsOf(text, $context)
  const html = micromark(text, {
    // Lines of other texts are indented too.
    extensions: [gfmTable(), gfmStrikethrough({ singleTilde: false }), { disable: { null: ['codeIndented'] } }],
    htmlExtensions: [gfmTableHtml(), gfmStrikethroughHtml()],
  })
  const { body } = new DOMParser().parseFromString(cleanPaste(html), 'text/html')
  if (!body.querySelector(MARKED_UP)) return paragraphsOf(text, $context)
  // A code block ends with a line break in HTML, but not in the editor.
  for (const code of body.querySelectorAll('pre > code')) code.textContent = code.textContent?.replace(/\n$/, '') ?? ''
  breakLines(body)
  return SchemaParser.fromSchema($context.doc.type.schema).parseSlice(body, { context: $context })
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
