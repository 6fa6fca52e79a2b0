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
}

/** The argument of the `purge_pages` action. */
export interface PurgeRequest {
  /** Absolute URLs of this site, or paths. */
  readonly urls?: readonly string[]
  /** Tags as passed to `page.addTags`. */
  readonly tags?: readonly string[]
  readonly reason?: string
}

/** `change`: something that pages show changed. `request`: an administrator requested the purge. */
export type PurgeCause = 'change' | 'request'

/** A purge as recorded in the change log. */
export interface Change extends Purge {
  /** Unique; identifies the position of a reader. */
  readonly id: string
  /** Time in ISO 8601 format, to the second. */
  readonly time: string
  /** Readers ignore types that they do not know. */
  readonly type: 'purge'
  /** Whether caches may serve the outdated pages while they fetch new ones. */
  readonly soft: boolean
  readonly cause: PurgeCause
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
   * @returns `undefined` if there is no such entry (any more): the reader may have missed some, so it must purge all pages
   */
  read(after: string | undefined, limit: number): Promise<readonly Change[] | undefined>
  /** ID of the newest entry. */
  newest(): Promise<string | undefined>
  /** Resolves when there may be new entries: at once for those of this process, within two seconds for others. */
  next(signal: AbortSignal): Promise<void>
}
