import { escapeHtml } from '../../../core/http/escape-html.ts'

/** One item of a feed. URLs are absolute, `html` is HTML, everything else is text. */
export interface FeedItem {
  readonly title: string
  readonly link: string
  readonly guid: string
  readonly creator: string
  /** UTC, `YYYY-MM-DDTHH:MM:SS`. */
  readonly dateGmt: string
  readonly categories: readonly string[]
  readonly summary: string
  readonly html: string
  readonly comments?: { readonly link: string; readonly feed: string; readonly count: number } | undefined
}

export interface Feed {
  readonly title: string
  readonly link: string
  readonly self: string
  readonly description: string
  readonly language: string
  /** UTC; last modification of the newest item. */
  readonly updatedGmt: string | undefined
  readonly items: readonly FeedItem[]
}

const NAMESPACES = [
  'xmlns:content="http://purl.org/rss/1.0/modules/content/"',
  'xmlns:wfw="http://wellformedweb.org/CommentAPI/"',
  'xmlns:dc="http://purl.org/dc/elements/1.1/"',
  'xmlns:atom="http://www.w3.org/2005/Atom"',
  'xmlns:sy="http://purl.org/rss/1.0/modules/syndication/"',
  'xmlns:slash="http://purl.org/rss/1.0/modules/slash/"',
].join('\n\t')

/** Date in RSS 2.0 format (RFC 822): `Thu, 01 Jan 2026 08:00:00 +0000`. */
export function rssDate(gmt: string): string {
  return new Date(`${gmt}Z`).toUTCString().replace('GMT', '+0000')
}

/** RSS 2.0 in WordPress's layout. */
export function writeRss(feed: Feed): string {
  const channel = [
    element('title', feed.title),
    `<atom:link href="${xmlText(feed.self)}" rel="self" type="application/rss+xml" />`,
    element('link', feed.link),
    element('description', feed.description),
    ...(feed.updatedGmt ? [element('lastBuildDate', rssDate(feed.updatedGmt))] : []),
    element('language', feed.language),
    element('sy:updatePeriod', 'hourly'),
    element('sy:updateFrequency', '1'),
    element('generator', 'Pentad'),
  ]
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0"
\t${NAMESPACES}>
<channel>
\t${channel.join('\n\t')}
${feed.items.map(writeItem).join('')}</channel>
</rss>
`
}

function writeItem(item: FeedItem): string {
  const { comments } = item
  const lines = [
    element('title', item.title),
    element('link', item.link),
    ...(comments ? [element('comments', comments.link)] : []),
    `<dc:creator>${cdata(item.creator)}</dc:creator>`,
    element('pubDate', rssDate(item.dateGmt)),
    ...item.categories.map((name) => `<category>${cdata(name)}</category>`),
    `<guid isPermaLink="false">${xmlText(item.guid)}</guid>`,
    `<description>${cdata(item.summary)}</description>`,
    ...(item.html ? [`<content:encoded>${cdata(item.html)}</content:encoded>`] : []),
    ...(comments ? [element('wfw:commentRss', comments.feed), element('slash:comments', String(comments.count))] : []),
  ]
  return `\t<item>\n\t\t${lines.join('\n\t\t')}\n\t</item>\n`
}

function element(name: string, text: string): string {
  return `<${name}>${xmlText(text)}</${name}>`
}

const xmlText = (text: string) => escapeHtml(legal(text))

/** A CDATA section; its end sequence is split across two. */
function cdata(text: string): string {
  return `<![CDATA[${legal(text).replaceAll(']]>', ']]]]><![CDATA[>')}]]>`
}

/** Removes characters not allowed in XML 1.0. */
function legal(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  return text.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
}
