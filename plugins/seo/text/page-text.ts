import { createHtmlParser, parseInPieces } from 'pentad'
import { HEADINGS, INLINE } from './elements.ts'

/** What a reader and a crawler find in the HTML of a post. */
export interface PageText {
  /** All of it, blocks apart. */
  readonly text: string
  readonly headings: string
  /** `href` of each link, as written. */
  readonly links: readonly string[]
  /** Texts that a link could be put around: each as it stands between two tags, none in a link or a heading. */
  readonly linkable: readonly string[]
}

/** Elements whose text nobody reads. */
const HIDDEN = new Set(['script', 'style', 'template', 'textarea', 'select', 'svg', 'math', 'iframe', 'object'])
/** Elements in which no link belongs. */
const UNLINKED = new Set(['a', 'button', 'label', 'code', 'pre', 'figcaption', ...HEADINGS])
/** Characters that are read; no page that people read is longer. */
const LONGEST = 1_000_000

export async function readPageText(html: string): Promise<PageText> {
  const parts: string[] = []
  const headings: string[] = []
  const links: string[] = []
  const linkable: string[] = []
  let hidden = 0
  let unlinked = 0
  let inHeading = 0
  let node = ''

  /** Entities cut a text into several, tags end it. */
  function endNode(): void {
    if (node.trim() !== '' && unlinked === 0) linkable.push(node)
    node = ''
  }
  function tag(name: string, step: 1 | -1): void {
    endNode()
    if (HIDDEN.has(name)) hidden += step
    if (UNLINKED.has(name)) unlinked += step
    if (HEADINGS.has(name)) inHeading += step
    if (INLINE.has(name)) return
    parts.push('\n')
    if (inHeading > 0) headings.push('\n')
  }

  const parser = createHtmlParser({
    onopentag(name, { href }) {
      if ((name === 'a' || name === 'area') && href && hidden === 0) links.push(href)
      tag(name, 1)
    },
    onclosetag: (name) => tag(name, -1),
    ontext(text) {
      if (hidden > 0) return
      parts.push(text)
      if (inHeading > 0) headings.push(text)
      node += text
    },
  })
  await parseInPieces(parser, html.slice(0, LONGEST))
  endNode()
  return { text: parts.join(''), headings: headings.join(''), links, linkable }
}
