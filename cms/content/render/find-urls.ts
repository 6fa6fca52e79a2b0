import { createHtmlParser } from '../../text/html-parser.ts'
import { findShortcodes } from './shortcodes.ts'

/** A URL in content to embed. */
export interface FoundUrl {
  readonly url: string
  /** Attributes of `[embed]`; `undefined` for a plain URL. */
  readonly attributes: Readonly<Record<string, string>> | undefined
  /** Range that the embed replaces. */
  readonly start: number
  readonly end: number
}

/** Maximum number of embeds per content; further URLs stay as they are. */
const MOST = 100

/** Cheap check: most content has no URL. */
const MAY_HOLD = /(?:^|[\s>])https?:\/\/|\[embed[\s\]]/i
/** Alone on a line, or in its tag. Linear: each line and each `>` is scanned once. */
const ALONE = /^[ \t]*(https?:\/\/[^\s<>"]+)[ \t\r]*$|>\s*(https?:\/\/[^\s<>"]+)\s*<\/p>/gim
/** Elements in which URLs are not embedded. */
const VERBATIM = new Set(['a', 'code', 'pre', 'script', 'style', 'textarea', 'template', 'title'])

/**
 * Finds the URLs that WordPress embeds (`WP_Embed::run_shortcode`, `autoembed`): in `[embed]`, alone on a line, or
 * alone in a paragraph; not in links or preformatted text.
 */
export function findUrls(html: string): FoundUrl[] {
  if (!MAY_HOLD.test(html)) return []
  const shortcodes = html.includes('[embed') ? findInShortcodes(html) : []
  const bare = findBare(html)
  const isBetween = rangeTest(shortcodes)
  // Another scheme could run a script in the fallback link.
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

/** Whether an offset lies in one of the sorted, disjoint ranges; call with ascending offsets. */
function rangeTest(ranges: readonly Range[]): (offset: number) => boolean {
  let at = 0
  return (offset) => {
    while ((ranges[at]?.end ?? Number.POSITIVE_INFINITY) <= offset) at++
    return (ranges[at]?.start ?? Number.POSITIVE_INFINITY) < offset
  }
}

/** Ranges without embeds: tags, comments and elements with literal text. */
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

/** As in WordPress: content of users without `unfiltered_html` is stored with `&amp;`. */
function unescaped(url: string): string {
  return url.replaceAll('&amp;', '&')
}
