import { findShortcodes } from '../../content/render/shortcodes.ts'
import { createHtmlParser } from '../../text/html-parser.ts'

/** A URL in a content that is to be embedded. */
export interface FoundUrl {
  readonly url: string
  /** Those of `[embed]`; `undefined` for a bare URL. */
  readonly attributes: Readonly<Record<string, string>> | undefined
  /** What its embed takes the place of. */
  readonly start: number
  readonly end: number
}

/** Embeds of one content; URLs behind them stay as they are written. */
const MOST = 100

/** Whether a content may hold any; most hold none. */
const MAY_HOLD = /(?:^|[\s>])https?:\/\/|\[embed[\s\]]/i
/** Alone on a line, or in its tag. Each line and each `>` is looked at once. */
const ALONE = /^[ \t]*(https?:\/\/[^\s<>"]+)[ \t\r]*$|>\s*(https?:\/\/[^\s<>"]+)\s*<\/p>/gim
/** In these a URL is meant as it is written. */
const VERBATIM = new Set(['a', 'code', 'pre', 'script', 'style', 'textarea', 'template', 'title'])

/**
 * The URLs that WordPress embeds (`WP_Embed::run_shortcode`, `autoembed`): in `[embed]`, alone on a line, or alone in a
 * paragraph. Other than there, those in links and in preformatted text are none.
 */
export function findUrls(html: string): FoundUrl[] {
  if (!MAY_HOLD.test(html)) return []
  const shortcodes = html.includes('[embed') ? findInShortcodes(html) : []
  const bare = findBare(html)
  const isBetween = rangeTest(shortcodes)
  // Another scheme could run a script in the link that takes its place.
  const embeddable = shortcodes.filter(({ url }) => /^https?:\/\//i.test(url) && URL.canParse(url))
  return [...embeddable, ...bare.filter(({ start }) => !isBetween(start))]
    .sort((one, other) => one.start - other.start)
    .slice(0, MOST)
}

function findInShortcodes(html: string): FoundUrl[] {
  return [...findShortcodes(html, (name) => name === 'embed')]
    .filter(({ escaped }) => !escaped)
    .map(({ attributes, content, start, end }) => ({
      url: unescaped((content ?? attributes.src ?? '').trim()),
      ...{ attributes, start, end },
    }))
}

function findBare(html: string): FoundUrl[] {
  const found: FoundUrl[] = []
  ALONE.lastIndex = 0
  for (let match = ALONE.exec(html); match; match = ALONE.exec(html)) {
    const [whole, onLine, inTag] = match
    const url = onLine ?? inTag ?? ''
    if (onLine === undefined && !/^<p[\s>]/i.test(html.slice(html.lastIndexOf('<', match.index)))) {
      // It may still be alone on its line.
      ALONE.lastIndex = match.index + 1
      continue
    }
    const start = match.index + whole.indexOf(url)
    found.push({ url: unescaped(url), attributes: undefined, start, end: start + url.length })
  }
  if (found.length === 0) return found
  const isLeftAlone = rangeTest(verbatimRanges(html))
  return found.filter(({ start }) => !isLeftAlone(start))
}

interface Range {
  readonly start: number
  readonly end: number
}

/** Asked with offsets in ascending order: whether one lies in a range. The ranges are in order, none in another. */
function rangeTest(ranges: readonly Range[]): (offset: number) => boolean {
  let at = 0
  return (offset) => {
    while ((ranges[at]?.end ?? Number.POSITIVE_INFINITY) <= offset) at++
    return (ranges[at]?.start ?? Number.POSITIVE_INFINITY) < offset
  }
}

/** Where a URL is none to embed: within tags, comments, and elements whose text is meant as it is written. */
function verbatimRanges(html: string): Range[] {
  const ranges: Range[] = []
  let depth = 0
  let opened = 0
  const add = () => {
    if (depth === 0) ranges.push({ start: parser.startIndex, end: parser.endIndex + 1 })
  }
  const parser = createHtmlParser({
    onopentag(name, _attributes, isImplied) {
      if (!isImplied) add()
      if (VERBATIM.has(name) && depth++ === 0) opened = parser.startIndex
    },
    onclosetag(name) {
      if (!VERBATIM.has(name) || depth === 0 || --depth > 0) return
      ranges.push({ start: opened, end: parser.endIndex + 1 })
    },
    oncomment: add,
  })
  parser.end(html)
  return ranges
}

/** WordPress's own: texts of who may not write any HTML are stored with `&amp;`. */
function unescaped(url: string): string {
  return url.replaceAll('&amp;', '&')
}
