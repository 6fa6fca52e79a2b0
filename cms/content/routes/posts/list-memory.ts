import { LRUCache } from 'lru-cache'
import type { Hooks, Undo } from '../../../../core/hooks/types.ts'
import { rememberJson, toJson } from '../../../../core/rest/response.ts'
import type { RestRequest } from '../../../../core/rest/types.ts'
import { createCoreState } from '../../render/core-state.ts'
import { RENDERING } from '../../render/plain-texts.ts'
import type { Content, MetaField, Post, PostType } from '../../types.ts'

/** Milliseconds after which a list is read again: an extension of another process may have changed rows by its own statements. */
const LIFETIME = 1000
const LISTS = 50
/** Maximum size of the lists of one post type, in bytes. */
const CAPACITY = 8 * 1024 * 1024
/** Bytes of a response per byte of its JSON: the JSON itself, and its texts with up to two bytes per character. */
const PER_BYTE = 3
/** Maximum length of the parameters as JSON: long lists of IDs rarely come again. */
const LONGEST_KEY = 1000

/** A list as it was read. */
export interface ReadList {
  readonly posts: readonly Post[]
  readonly total: number
  /** Creates the response for one of the posts. */
  read(post: Post): Promise<object>
  /** Characters of the posts, and of everything else that `read` keeps. */
  length(): number
}

/** A list as it is sent. */
export interface SentList {
  readonly items: readonly unknown[]
  readonly total: number
}

interface KnownList {
  readonly version: string
  readonly state: object
  readonly changes: number
  readonly metaFields: readonly MetaField[]
  readonly total: number
  /** Responses for posts; functions for those that must be rendered each time. */
  readonly items: readonly (object | (() => Promise<object>))[]
  /** In bytes. */
  readonly size: number
}

export interface ListMemory {
  /** The list for a visitor's request, if nothing has changed since it was read for an equal one; otherwise reads it. */
  get(request: RestRequest, read: () => Promise<ReadList>): Promise<SentList>
  /** Stops watching for changes. */
  close: Undo
}

/**
 * Remembers the lists of one post type that visitors requested, with their JSON. An extension may make responses depend on anything, so
 * lists are not reused while one filters them.
 */
export function createListMemory({ content, hooks }: { content: Content; hooks: Hooks }, type: PostType): ListMemory {
  const lists = new LRUCache<string, KnownList>({
    ...{ max: LISTS, ttl: LIFETIME, ttlAutopurge: true, maxSize: CAPACITY },
    sizeCalculation: ({ size }, key) => size + key.length + 1,
  })
  const current = createCoreState(hooks, content.siteSettings, [
    ...RENDERING,
    ...['the_title', 'protected_title_format', 'private_title_format'],
    ...['post_link', 'page_link', 'post_type_link', 'rest_post_dispatch'],
    ...[`rest_${type.name}_query`, `rest_prepare_${type.name}`],
  ])
  /** The version that was read last, and when it was read first. */
  let latest = { version: '', since: 0 }
  /** Number of changes of options, which contain former URLs of the site. */
  let changes = 0
  const close = hooks.addAction('updated_option', () => void changes++)

  /** Everything apart from content that a list depends on; `undefined` if it cannot be reused. */
  function stateFor({ user, stream, sent }: RestRequest): object | undefined {
    const isVisitor = user === null && stream !== null && !sent.has('password')
    return isVisitor && type.public && type.name !== 'attachment' && content.isReadByStatus() ? current() : undefined
  }

  const fieldsNow = () => [...content.metaFields('post', type.name).values()]

  async function readVersion(): Promise<string> {
    const version = await content.version()
    if (version !== latest.version) latest = { version, since: performance.now() }
    return version
  }

  /** Rendered images may show attachments as they were a second before. */
  const isExact = (post: Post) =>
    content.isShownAsStored(post) && (!/<img/i.test(post.content) || performance.now() - latest.since > LIFETIME)

  async function send({ total, items }: KnownList): Promise<SentList> {
    // The same list, whose JSON is known.
    if (items.every((item) => typeof item !== 'function')) return { items, total }
    return { items: await Promise.all(items.map((item) => (typeof item === 'function' ? item() : item))), total }
  }

  return {
    close,
    async get(request, read) {
      const state = stateFor(request)
      const key = state === undefined ? '' : keyOf(request)
      if (state === undefined || key.length > LONGEST_KEY) return sendOnce(await read())
      const known = lists.get(key)
      const [before, metaFields] = [changes, fieldsNow()]
      const version = await readVersion()
      const isCurrent =
        known?.version === version &&
        known.state === state &&
        known.changes === before &&
        known.metaFields.length === metaFields.length &&
        known.metaFields.every((field, at) => field === metaFields[at])
      if (isCurrent) return send(known)
      const list = await read()
      const { posts, total } = list
      const exact = posts.map(isExact)
      const responses = await Promise.all(posts.map(list.read))
      const isWhole = exact.every(Boolean)
      const items = isWhole
        ? responses
        : posts.map((post, at) => (exact[at] && responses[at]) || (() => list.read(post)))
      const remembered = isWhole ? responses : responses.filter((_, at) => exact[at])
      if (isWhole) rememberJson(responses)
      else for (const response of remembered) rememberJson(response)
      const size = PER_BYTE * toJson(remembered).length + (isWhole ? 0 : 2 * list.length())
      lists.set(key, { version, state, changes: before, metaFields, total, items, size })
      return { items: responses, total }
    },
  }
}

/** Everything in a request that the list depends on. */
function keyOf({ input, query }: RestRequest): string {
  return JSON.stringify([input, [...query].filter(([name]) => name.startsWith('_fields'))])
}

async function sendOnce({ posts, total, read }: ReadList): Promise<SentList> {
  return { items: await Promise.all(posts.map(read)), total }
}
