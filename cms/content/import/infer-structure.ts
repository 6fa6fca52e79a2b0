import { encodeSlug, splitPath } from '../permalinks/path.ts'
import { normalizeStructure, structureFault, type Tag } from '../permalinks/structure.ts'
import { dateValues } from '../permalinks/tag-values.ts'
import { sanitizeTitle } from '../slug.ts'
import type { WxrItem } from './wxr.ts'

/** Maximum number of candidate structures in total, and for one URL. */
const MOST = 1000
const MOST_OF_ONE = 100
/** Number of posts that vote: WordPress uses one structure for the links of all posts. */
const VOTERS = 2000
const DATE_TAGS = ['year', 'monthnum', 'day', 'hour', 'minute', 'second'] as const

/** Infers the permalink structure of a site from the URLs of its posts. */
export interface StructureVotes {
  /** @param path path and query of the post's address, without the folder of the site */
  note(item: WxrItem, path: string): void
  /** The structure of more than half of the posts; `undefined` if there is none. Empty for plain addresses. */
  winner(): string | undefined
}

/** Each post votes for all permalink structures that match its URL: a post of May 5 matches two, one of May 6 only one. */
export function createStructureVotes(): StructureVotes {
  const votes = new Map<string, number>()
  let posts = 0

  return {
    note(item, path) {
      if (posts >= VOTERS) return
      posts++
      for (const structure of structuresOf(item, path)) {
        if (votes.has(structure) || votes.size < MOST) votes.set(structure, (votes.get(structure) ?? 0) + 1)
      }
    },
    winner() {
      const tags = (structure: string) => structure.split('%').length
      // Of two that fit all posts, the one with more tags: `/2026/` may be the year of all posts.
      const [best] = [...votes].sort(([one, some], [other, more]) => more - some || tags(other) - tags(one))
      return best && best[1] * 2 > posts ? best[0] : undefined
    },
  }
}

/** The structures under which a post has this address. */
export function structuresOf(item: WxrItem, path: string): string[] {
  if (new RegExp(`^/\\?p=${item.id}$`).test(path)) return ['']
  const parts = path.includes('?') ? undefined : splitPath(path)
  if (!parts || parts.length === 0) return []
  if (parts[0]?.toLowerCase() === 'index.php') parts.shift()
  const values = valuesOf(item)
  const categories = new Set(
    item.terms.filter(({ taxonomy }) => taxonomy === 'category').map(({ slug }) => encoded(slug)),
  )
  const found: string[] = []

  function read(at: number, before: readonly string[], used: ReadonlySet<Tag>): void {
    if (found.length >= MOST_OF_ONE) return
    if (at === parts?.length) {
      if (used.size > 0) found.push(`/${before.join('/')}${path.endsWith('/') ? '/' : ''}`)
      return
    }
    const part = encodeSlug(parts?.[at] ?? '')
    for (const { text, tags } of readings(part, values, used))
      read(at + 1, [...before, text], new Set([...used, ...tags]))
    // A category includes its ancestors.
    for (let end = at; !used.has('category') && end < (parts?.length ?? 0); end++) {
      if (categories.has(encodeSlug(parts?.[end] ?? '')))
        read(end + 1, [...before, '%category%'], new Set([...used, 'category']))
    }
  }
  read(0, [], new Set())
  const structures = new Set(found.map(normalizeStructure))
  return [...structures].filter((structure) => structureFault(structure) === undefined)
}

const encoded = (slug: string) => sanitizeTitle(slug)

function valuesOf(item: WxrItem): Partial<Record<Tag, string>> {
  return {
    ...(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(item.date) ? dateValues(item.date) : {}),
    ...(item.slug === '' ? {} : { postname: encoded(item.slug) }),
    ...(item.id > 0 ? { post_id: String(item.id) } : {}),
    ...(item.author === '' ? {} : { author: encoded(item.author) }),
  }
}

interface Reading {
  readonly text: string
  readonly tags: readonly Tag[]
}

/** The possible readings of part of a path: text and tags. */
function readings(part: string, values: Partial<Record<Tag, string>>, used: ReadonlySet<Tag>): Reading[] {
  const unused = (name: Tag) => (used.has(name) || values[name] === '' ? undefined : values[name])
  const found: Reading[] = []
  for (const name of ['postname', 'post_id', 'author', ...DATE_TAGS] as const)
    if (unused(name) === part) found.push({ text: `%${name}%`, tags: [name] })
  const dated = readDates(part, unused)
  if (dated && dated.tags.length > 1) found.push(dated)
  // A year or an ID that only looks like literal text does not count as text.
  const isOnlyTags = found.length > 0 && found.every(({ tags: [name] }) => name !== 'postname' && name !== 'author')
  if (isOnlyTags) return found
  const within = withinText(part, unused)
  if (within.tags.length > 0 && found.every(({ text }) => text !== within.text)) found.push(within)
  return [...found, { text: part, tags: [] }]
}

/** `071505`, `2026-01-02`: several parts of the date. */
function readDates(part: string, unused: (name: Tag) => string | undefined): Reading | undefined {
  let text = ''
  const tags: Tag[] = []
  for (let rest = part; rest !== ''; ) {
    const name = DATE_TAGS.find((each) => !tags.includes(each) && unused(each) && rest.startsWith(unused(each) ?? ''))
    const [separator] = /^[-_.]/.exec(rest) ?? []
    if (name === undefined && separator === undefined) return undefined
    if (name !== undefined) tags.push(name)
    text += name === undefined ? separator : `%${name}%`
    rest = rest.slice(name === undefined ? 1 : (unused(name)?.length ?? 0))
  }
  return { text, tags }
}

/** `hello-world.html`, `hello-world-7`, `p7`: slug and id with other text. */
function withinText(part: string, unused: (name: Tag) => string | undefined): Reading {
  const tags: Tag[] = []
  let pieces = [part]
  for (const name of ['postname', 'post_id'] as const) {
    const value = unused(name)
    const at = value === undefined ? -1 : pieces.findIndex((piece) => !piece.startsWith('%') && piece.includes(value))
    if (value === undefined || at < 0) continue
    const [before = '', ...after] = (pieces[at] ?? '').split(value)
    pieces = [...pieces.slice(0, at), before, `%${name}%`, after.join(value), ...pieces.slice(at + 1)]
    tags.push(name)
  }
  return { text: pieces.join(''), tags }
}
