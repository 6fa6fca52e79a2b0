import { LRUCache } from 'lru-cache'
import type { Hooks, Undo } from '../../../../core/hooks/types.ts'
import { rememberJson } from '../../../../core/rest/response.ts'
import type { RestRequest } from '../../../../core/rest/types.ts'
import { createCoreState } from '../../render/core-state.ts'
import { RENDERING } from '../../render/plain-texts.ts'
import type { Content, MetaField, Post, PostType } from '../../types.ts'

/** Milliseconds after which a list is read again: an extension of another process may have changed rows by its own statements. */
const LIFETIME = 1000
const LISTS = 50
/** Characters of the contents in the lists of one post type. */
const CAPACITY = 2_000_000
/** Maximum length of a query string: long lists of IDs rarely come again. */
const LONGEST_QUERY = 500

/** A list as it was read. `read` creates the response for one of its posts. */
export interface ReadList {
  readonly posts: readonly Post[]
  readonly total: number
  read(post: Post): Promise<object>
}

/** A list as it is sent. */
export interface SentList {
  readonly items: readonly unknown[]
  readonly total: number
}

interface KnownList extends ReadList {
  readonly version: string
  readonly state: object
  readonly changes: number
  readonly metaFields: readonly MetaField[]
  /** Responses for posts; `undefined` for those that must be rendered each time. */
  readonly items: readonly (object | undefined)[]
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
    ...{ max: LISTS, ttl: LIFETIME, maxSize: CAPACITY },
    sizeCalculation: ({ posts }) => posts.reduce((sum, post) => sum + post.content.length, 1),
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

  async function send({ posts, total, read, items }: KnownList): Promise<SentList> {
    const sent = await Promise.all(posts.map((post, at) => items[at] ?? read(post)))
    return { items: sent, total }
  }

  return {
    close,
    async get(request, read) {
      const key = request.query.toString()
      const state = key.length <= LONGEST_QUERY ? stateFor(request) : undefined
      if (state === undefined) return sendOnce(await read())
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
      const exact = list.posts.map(isExact)
      const responses = await Promise.all(list.posts.map(list.read))
      const items = responses.map((response, at) => {
        if (!exact[at]) return undefined
        rememberJson(response)
        return response
      })
      lists.set(key, { ...list, version, state, changes: before, metaFields, items })
      return { items: responses, total: list.total }
    },
  }
}

async function sendOnce({ posts, total, read }: ReadList): Promise<SentList> {
  return { items: await Promise.all(posts.map(read)), total }
}
