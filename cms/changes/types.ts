import type { Undo } from '../../core/hooks/types.ts'

/** Scope of a purge, from narrow to wide. `cache` and `everything` include caches of this site other than that of pages. */
export type PurgeScope = 'url' | 'urls' | 'pages' | 'cache' | 'everything'

/** Pages that are outdated: caches must not serve them any longer. */
export interface Purge {
  readonly scope: PurgeScope
  /** Absolute URLs of this site; empty if the scope is wider than single pages. */
  readonly urls: readonly string[]
  /** Tags of the content that changed, as in `Surrogate-Key`; empty if the scope is wider than single pages. */
  readonly tags: readonly string[]
  /** User-facing reason: `Post 7 was updated.` */
  readonly reason: string
  /** Whether caches may serve the outdated pages once more while they fetch new ones. Default: `false`. */
  readonly soft?: boolean | undefined
}

/** The argument of the `purge_pages` action. */
export interface PurgeRequest {
  /** Absolute URLs of this site, or paths. */
  readonly urls?: readonly string[]
  /** Tags as passed to `page.addTags`. */
  readonly tags?: readonly string[]
  readonly reason?: string
  /** Whether visitors may get the outdated pages once more while new ones are rendered. Default: `false`. */
  readonly soft?: boolean
}

/** `change`: content shown on pages changed. `request`: an administrator requested the purge. */
export type PurgeCause = 'change' | 'request'

/** A purge as recorded in the change log. */
export interface Change extends Purge {
  /** Unique; identifies the position of a reader. */
  readonly id: string
  /** Time in ISO 8601 format, to the second. */
  readonly time: string
  /** Readers ignore types that they do not know. */
  readonly type: 'purge'
  readonly soft: boolean
  readonly cause: PurgeCause
}

/** One delivery to a cache. */
export interface CachePurge extends Purge {
  /** The cache, one of those that `caches` returned. */
  readonly cache: string
  /** Whether the cache may serve the outdated pages once more while it fetches new ones; only if that holds for all changes. */
  readonly soft: boolean
  /** Identifies the delivery. A retry has the same ID, unless changes were added to it. */
  readonly id: string
}

/** How many requests the API of a cache accepts, as a token bucket. */
export interface CacheBudget {
  /** Tokens of a full bucket. */
  readonly burst: number
  /** Tokens that are added per minute. */
  readonly perMinute: number
  /** Tokens that a purge takes, such as one per request; a purge that takes more than a full bucket becomes one of all pages. */
  cost(purge: Purge): number
}

export interface FollowOptions {
  /** Name of the product, for administrators: `Varnish`. */
  readonly name: string
  /**
   * The caches that are set up, such as the addresses of two nodes, or the ID of a zone; none if the settings are incomplete. Each has its own
   * position in the change log. Called often, so it must be quick.
   */
  caches(): readonly string[]
  /**
   * Whether each purge is repeated after five seconds, because a cache that fetched a page just before a purge stores it just after. Default:
   * `true`.
   */
  readonly repeats?: boolean
  /** Limit of the cache, for each of `caches`. While it is exhausted, purges wait, and are merged. Default: none. */
  readonly budget?: CacheBudget
  /**
   * Purges a cache. All changes since the last successful call are one purge.
   *
   * @param signal is aborted after a minute, and when the extension is unloaded
   * @throws PurgeRejectedError if the cache will never accept this purge: it is reported to administrators and not retried. After any other
   *   error it is retried after 1, 2, 4, … seconds, at most five minutes, or after the time that the error specifies: `retryAfterSeconds`, or
   *   `retryAfter`, the value of a `Retry-After` header.
   */
  purge(purge: CachePurge, signal: AbortSignal): Promise<void>
}

/** Where a change comes from: an option or extension with that name; `content` and `site` have no name. */
export type ChangeSource = 'content' | 'site' | 'option' | 'extension'

/** The change log: what caches in front of the site, and other readers, have to know. Entries are stored for 30 days, at most 100,000. */
export interface Changes {
  /**
   * Purges what an administrator requested from page caches, and records it; `purge_pages` is for content that changed. Resolves once it is
   * stored, or after a second; then it is stored later.
   * @throws ZodError if it is not a purge
   */
  record(purge: Purge): Promise<void>
  /**
   * Returns the entries after the one with that ID, oldest first; without an ID, from the oldest stored one.
   * @returns `undefined` if that entry does not exist or no longer exists: the reader may have missed some, so it must purge all pages
   */
  read(after: string | undefined, limit: number): Promise<readonly Change[] | undefined>
  /** ID of the newest entry. */
  newest(): Promise<string | undefined>
  /** Returns the newest entries, oldest first; fewer if they are long. */
  latest(limit: number): Promise<readonly Change[]>
  /** Resolves when there may be new entries: at once for those of this process, within two seconds for others. */
  next(signal: AbortSignal): Promise<void>
}

/** The change log as an extension receives it. */
export interface ExtensionChanges extends Changes {
  /**
   * Keeps caches up to date: purges them when pages change, in order, with retries, resuming after a restart where each left off. Works without
   * the performance service, while the site is running (`pentad start`), in one process at a time. A cache that is new, or that has missed
   * changes that are no longer in the log, receives a purge of all pages.
   *
   * @example
   * ```ts
   * import { defineExtension, isOfPages } from 'pentad'
   *
   * export default defineExtension({
   *   id: 'example-cdn',
   *   name: 'Example CDN',
   *   version: '1.0.0',
   *   setup({ changes, fetch }) {
   *     changes.follow({
   *       name: 'Example CDN',
   *       caches: () => ['https://api.cdn.example/purge'],
   *       async purge({ cache, scope, tags, urls }, signal) {
   *         const body = JSON.stringify({ targets: isOfPages(scope) ? [...tags, ...urls] : ['*'] })
   *         const response = await fetch(cache, { method: 'POST', body, signal })
   *         if (!response.ok) throw new Error(`The CDN responded with ${response.status}.`)
   *       },
   *     })
   *   },
   * })
   * ```
   */
  follow(options: FollowOptions): Undo
  /**
   * Applies the recorded purges of other processes, with the `purge_urls` filter, and makes their settings visible. A page cache calls it
   * before it stores a page, and before it serves one unless `isCurrent`. Resolves to whether this process has all changes that were recorded
   * before the call; if not, the page cache must neither store pages nor serve cached ones.
   * Resolves to `false` once the extension is unloaded: purges no longer reach it.
   */
  catchUp(): Promise<boolean>
  /**
   * Whether this process has all changes that other processes have recorded, as far as that is known without a query: `false` with several
   * nodes; on SQLite, `true` until another process writes to the database. On PostgreSQL, a single node always counts as current: there, a page
   * cache calls `catchUp` once a second, too.
   */
  isCurrent(): boolean
  /** ID of the last entry that was applied here; `null` if the log was empty then, `undefined` before `catchUp` has succeeded once. */
  position(): string | null | undefined
  /** Resolves when the purges of this process so far are recorded, or after a second. */
  settled(): Promise<void>
  /** Whether this process has purges that are not recorded yet. */
  readonly hasUnrecorded: boolean
  /** Whether the site is configured for several nodes. */
  readonly nodes: 'one' | 'many'
  /** Whether an extension keeps caches up to date. */
  readonly isFollowed: boolean
}
