import { createHtmlParser, parseInChunks } from 'pentad'
import { HEADINGS, INLINE } from './elements.ts'

/** Text and links in the HTML of a post, as readers and crawlers see them. */
export interface PageText {
  /** The full text; blocks are separated. */
  readonly text: string
  readonly headings: string
  /** `href` of each link, as written. */
  readonly links: readonly string[]
  /** Texts that can contain anchor texts: each between two tags, outside of links and headings. */
  readonly linkable: readonly string[]
}

/** Elements whose text is not content. */
const HIDDEN = new Set(['script', 'style', 'template', 'textarea', 'select', 'svg', 'math', 'iframe', 'object'])
/** Elements that must not contain links. */
const UNLINKED = new Set(['a', 'button', 'label', 'code', 'pre', 'figcaption', ...HEADINGS])
/** Maximum length that is read. */
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

  /** The parser splits text at entities; only tags end a text. */
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

  const parser = createHtmlParser(
    {
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
    },
    // The parser takes twice as long if it looks for entities.
    { decodeEntities: html.includes('&') },
  )
  await parseInChunks(parser, html.slice(0, LONGEST))
  endNode()
  return { text: parts.join(''), headings: headings.join(''), links, linkable }
}
