import { getHeapStatistics } from 'node:v8'
import { LRUCache } from 'lru-cache'
import { createHtmlParser, type PageContext } from 'pentad'

/** Tags that may occur once; images and tags of an article may repeat. */
const SINGLE = new Set([
  ...['description', 'og:title', 'og:type', 'og:url', 'og:description', 'og:site_name', 'og:locale'],
  ...['twitter:card', 'twitter:site', 'twitter:title', 'twitter:description', 'twitter:image', 'twitter:image:alt'],
])

/** Cheap check: if no tag or title occurs twice, there is nothing to remove. */
const TAGS = /<(?:title\b|(?:meta|link)\b(?:[^>"']|"[^"]*"|'[^']*')*)/gi
const NAMES = /\b(?:name|property|rel)\s*=\s*["']?([a-z:_]+)/gi

const END_TAG = '</head>'

/** Maximum size of known heads, in characters: less if the process has little memory. */
const MOST_CHARACTERS = Math.min(2_000_000, getHeapStatistics().heap_size_limit / 256)

interface Piece {
  readonly start: number
  readonly end: number
}

/**
 * Removes duplicate titles, descriptions, canonical URLs and other single tags that a theme or extension added to the
 * head. The last one is kept, because output added later is meant to override.
 */
export type DedupeTags = (html: string, page: Pick<PageContext, 'path' | 'status'>) => string

/** The place of missing pages; no path. */
const MISSING = ''

export function createDedupeTags(): DedupeTags {
  /**
   * The last head without duplicates of each path, with its end tag: most are the same again. Missing pages, which mostly have the same
   * one, have one entry.
   */
  const known = new LRUCache<string, string>({
    maxSize: MOST_CHARACTERS,
    sizeCalculation: ({ length }, place) => 1 + length + place.length,
  })
  return (html, { path, status }) => {
    const place = status === 404 ? MISSING : path
    const last = known.get(place)
    if (last !== undefined && html.startsWith(last)) return html
    const end = endOfHead(html)
    const head = html.slice(0, end)
    if (mayRepeat(head)) return withoutDuplicates(html, head)
    // A copy: a part of the page would keep all of it in memory.
    if (html.startsWith(END_TAG, end)) known.set(place, Buffer.from(head + END_TAG, 'utf16le').toString('utf16le'))
    return html
  }
}

function withoutDuplicates(html: string, head: string): string {
  const last = new Map<string, Piece>()
  const surplus: Piece[] = []
  let title = -1

  const found = (key: string, piece: Piece) => {
    const before = last.get(key)
    if (before) surplus.push(before)
    last.set(key, piece)
  }
  const parser = createHtmlParser({
    onopentag(name, { name: named, property, content, rel, href }) {
      const piece = { start: parser.startIndex, end: parser.endIndex + 1 }
      const key = (named ?? property ?? '').toLowerCase()
      if (name === 'title') title = piece.start
      if (name === 'meta' && content !== undefined && SINGLE.has(key)) found(key, piece)
      if (name === 'link' && href !== undefined && rel?.toLowerCase() === 'canonical') found('canonical', piece)
    },
    onclosetag(name) {
      if (name === 'title' && title >= 0) found('title', { start: title, end: parser.endIndex + 1 })
      if (name === 'title') title = -1
    },
  })
  parser.end(head)
  return surplus
    .sort((one, other) => other.start - one.start)
    .reduce((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), html)
}

/** Searches the text first, because parsing each page costs more. */
function mayRepeat(head: string): boolean {
  const seen = new Set<string>()
  const isNew = (key: string) => seen.size < seen.add(key).size
  for (const { 0: tag, index } of head.matchAll(TAGS)) {
    if (tag.length === '<title'.length) {
      if (!isNew('title')) return true
      continue
    }
    // A quote in an attribute without quotes.
    if (head[index + tag.length] !== '>') return true
    for (const [, name = ''] of tag.matchAll(NAMES)) {
      const key = name.toLowerCase()
      if ((key === 'canonical' || SINGLE.has(key)) && !isNew(key)) return true
    }
  }
  return false
}

function endOfHead(html: string): number {
  // Almost every theme writes both like this, and searching for a text is much faster than for a pattern.
  const [end, body] = [html.indexOf(END_TAG), html.indexOf('<body')]
  if (end >= 0 && body > end) return end
  const at = html.search(/<\/head>|<body[\s>]/i)
  return at < 0 ? html.length : at
}
