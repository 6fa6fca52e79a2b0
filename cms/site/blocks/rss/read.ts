import { Parser } from 'htmlparser2'
import { plainText } from '../../../text/plain-text.ts'

/** One item of a feed, as text. */
export interface FeedItem {
  readonly title: string
  /** As in the feed; empty if missing. */
  readonly url: string
  /** UTC, `YYYY-MM-DDTHH:MM:SS`; empty if missing. */
  readonly dateGmt: string
  readonly author: string
  readonly description: string
}

/** Maximum number of items; a block shows at most 20. */
const MOST = 50
/** Maximum length of a text. */
const LONGEST = 20_000
/** Element names in RSS 2.0, RSS 1.0 and Atom. */
const FIELDS: Readonly<Record<string, 'title' | 'url' | 'date' | 'author' | 'description'>> = {
  ...{ title: 'title', link: 'url', description: 'description', summary: 'description', content: 'description' },
  ...{ pubDate: 'date', 'dc:date': 'date', published: 'date', updated: 'date' },
  ...{ author: 'author', 'dc:creator': 'author', name: 'author' },
}

type Texts = { -readonly [Field in (typeof FIELDS)[string]]: string }

/** Parses the items of an RSS or Atom feed in one pass. @throws Error if the text is not a feed */
export function readFeed(xml: string): FeedItem[] {
  const items: FeedItem[] = []
  const path: string[] = []
  let isFeed = false
  let entry: Texts | undefined
  let text = ''

  const parser = new Parser(
    {
      onopentag(name, attributes) {
        path.push(name)
        if (name === 'rss' || name === 'feed' || name === 'rdf:RDF') isFeed = true
        text = ''
        if (name === 'item' || name === 'entry') entry = { title: '', url: '', date: '', author: '', description: '' }
        // Atom has the URL in an attribute, next to other links.
        const isAddress = name === 'link' && (attributes.rel === undefined || attributes.rel === 'alternate')
        if (entry && isAddress && attributes.href !== undefined) entry.url ||= attributes.href
      },
      ontext(part) {
        if (text.length < LONGEST) text += part
      },
      onclosetag(name) {
        path.pop()
        const parent = path.at(-1)
        const isOwn = parent === 'item' || parent === 'entry' || (name === 'name' && parent === 'author')
        const field = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined
        if (entry && field && isOwn) entry[field] ||= text.trim().slice(0, LONGEST)
        text = ''
        if (!entry || (name !== 'item' && name !== 'entry')) return
        items.push(itemOf(entry))
        entry = undefined
        if (items.length === MOST) parser.pause()
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.write(xml)
  if (items.length < MOST) parser.end()
  if (!isFeed) throw new Error('The response is not a feed.')
  return items
}

function itemOf({ title, url, date, author, description }: Texts): FeedItem {
  const time = Date.parse(date)
  return {
    title: plainText(title),
    url,
    dateGmt: Number.isNaN(time) ? '' : new Date(time).toISOString().slice(0, 19),
    // RSS has an email address with the name in parentheses: only the name is shown.
    author: plainText(/\(([^()]+)\)\s*$/.exec(author)?.[1] ?? author.replace(/\S+@\S+/g, '')),
    description: plainText(description),
  }
}
