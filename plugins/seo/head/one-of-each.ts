import { Parser } from 'htmlparser2'

/** What a page says once; images and tags of an article may be several. */
const SINGLE = new Set([
  ...['description', 'og:title', 'og:type', 'og:url', 'og:description', 'og:site_name', 'og:locale'],
  ...['twitter:card', 'twitter:site', 'twitter:title', 'twitter:description', 'twitter:image', 'twitter:image:alt'],
])

interface Piece {
  readonly start: number
  readonly end: number
}

/**
 * Leaves one title, description, canonical address and so on in the head of a page, where a theme or an extension adds
 * its own to those that are there: the last one stays, as whoever adds to the head later means it.
 */
export function oneOfEach(html: string): string {
  const last = new Map<string, Piece>()
  const surplus: Piece[] = []
  let title = -1

  const found = (key: string, piece: Piece) => {
    const before = last.get(key)
    if (before) surplus.push(before)
    last.set(key, piece)
  }
  const parser = new Parser({
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
  parser.end(html.slice(0, endOfHead(html)))
  return surplus
    .sort((one, other) => other.start - one.start)
    .reduce((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), html)
}

function endOfHead(html: string): number {
  const at = html.search(/<\/head>|<body[\s>]/i)
  return at < 0 ? html.length : at
}
