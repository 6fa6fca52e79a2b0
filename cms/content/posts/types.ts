import type { User } from '../../../core/auth/types.ts'
import type { JsonValue } from '../../../core/options/types.ts'
import type { Meta } from '../meta/types.ts'

export type PostStatus = 'publish' | 'future' | 'draft' | 'pending' | 'private' | 'trash' | 'auto-draft' | 'inherit'

/** A post, page, attachment or any other type. Text is as the author wrote it; nothing is filtered yet. */
export interface Post {
  readonly id: number
  readonly type: string
  readonly status: string
  readonly authorId: number
  readonly parentId: number
  readonly menuOrder: number
  readonly slug: string
  /** Path of the public page with slashes at both ends; empty if it has none. */
  readonly path: string
  readonly title: string
  readonly content: string
  readonly excerpt: string
  readonly password: string
  readonly commentStatus: 'open' | 'closed'
  readonly pingStatus: 'open' | 'closed'
  readonly commentCount: number
  readonly sticky: boolean
  readonly template: string
  readonly mimeType: string
  readonly guid: string
  /** Site time, `YYYY-MM-DDTHH:MM:SS`. */
  readonly date: string
  /** UTC, `YYYY-MM-DDTHH:MM:SS`. */
  readonly dateGmt: string
  readonly modified: string
  readonly modifiedGmt: string
}

export type NewPost = {
  readonly [Field in Exclude<keyof Post, 'id' | 'path' | 'commentCount'>]?: Post[Field] | undefined
} & {
  /** On `insert`: the requested ID; if it is taken, a different one is used (`import_id` in WordPress). */
  readonly id?: number | undefined
  readonly meta?: Meta | undefined
  /** Term ids by taxonomy; replaces what was set. */
  readonly terms?: Readonly<Record<string, readonly number[]>> | undefined
  /** Resets the date: drafts are dated by their last change again, other posts get the current time. */
  readonly resetDate?: boolean | undefined
  /** Makes the slug unique immediately; by default, drafts get a unique slug when they are published. */
  readonly reserveSlug?: boolean | undefined
  /** ID of the user who saves, for the revision. Default: the post's author. */
  readonly savedBy?: number | undefined
  /** For `update`: whether the new text is stored as a revision. `false` for changes that are not edits. Default: true. */
  readonly keepsRevision?: boolean | undefined
  /** For `update` and `delete`: UTC, `YYYY-MM-DDTHH:MM:SS`. Rejects the change if the post was modified later. */
  readonly unchangedSince?: string | undefined
}

/** An empty list imposes no condition, as in WordPress's `WP_Query`. */
export interface PostQuery {
  /** Default `['post']`. */
  readonly types?: readonly string[] | undefined
  /** Default `['publish']`. */
  readonly statuses?: readonly string[] | undefined
  readonly authors?: readonly number[] | undefined
  readonly notAuthors?: readonly number[] | undefined
  readonly include?: readonly number[] | undefined
  readonly exclude?: readonly number[] | undefined
  readonly slugs?: readonly string[] | undefined
  readonly parents?: readonly number[] | undefined
  readonly notParents?: readonly number[] | undefined
  readonly menuOrder?: number | undefined
  /** `image/png`, or `image` for all of them. */
  readonly mimeTypes?: readonly string[] | undefined
  /** Term ids by taxonomy; `all` requires all of them, `withChildren` includes child terms. */
  readonly terms?: Readonly<Record<string, TermFilter>> | undefined
  readonly notTerms?: Readonly<Record<string, TermFilter>> | undefined
  /** Posts with this value, possibly among others, for each of the keys. */
  readonly meta?: Readonly<Record<string, JsonValue>> | undefined
  /** Full-text search. */
  readonly search?: string | undefined
  /** Text that the title, content, or excerpt contains, case-insensitive; for small numbers of posts, because it cannot use an index. */
  readonly textContains?: string | undefined
  /** Columns to search; default: all. */
  readonly searchColumns?: readonly ('title' | 'content' | 'excerpt')[] | undefined
  readonly sticky?: boolean | undefined
  /** Relation of conditions on several taxonomies; default `and`. `notTerms` always applies. */
  readonly termRelation?: 'and' | 'or' | undefined
  /** Posts that this user did not write are included only with these statuses. */
  readonly others?: { readonly than: number; readonly statuses: readonly string[] } | undefined
  /** Excludes attachments of posts that are not public and that this user did not write; 0 is a visitor. */
  readonly parentsFor?: number | undefined
  /** `false` excludes password-protected posts. */
  readonly hasPassword?: boolean | undefined
  /**
   * Only posts that this user can read, as in `content.canRead`; `null` is an anonymous visitor. Required for every list that is displayed.
   * If extensions decide on access, `total` counts at most 1,000 posts beyond the page.
   */
  readonly readableBy?: User | null | undefined
  /** Site time, `YYYY-MM-DDTHH:MM:SS`. */
  readonly after?: string | undefined
  readonly before?: string | undefined
  readonly modifiedAfter?: string | undefined
  readonly modifiedBefore?: string | undefined
  /** Default `date`; `relevance` without a search is the same as `date`. */
  readonly orderBy?: PostOrder | undefined
  readonly order?: 'asc' | 'desc' | undefined
  /** Sticky posts first, as on the homepage. */
  readonly stickyFirst?: boolean | undefined
  /** Default 10. */
  readonly limit?: number | undefined
  readonly offset?: number | undefined
  /** Skips counting, like `no_found_rows` in WordPress: `total` does not include posts beyond the page. */
  readonly noFoundRows?: boolean | undefined
}

/** Restrictions and options of `Posts.search`. */
export interface PostSearch
  extends Omit<PostQuery, 'search' | 'searchColumns' | 'orderBy' | 'order' | 'offset' | 'stickyFirst' | 'noFoundRows'> {
  /**
   * Whether posts must contain `all` words (default) or `any`: for a question in a sentence. Then only the rarest words count, up to 300
   * matching posts in total.
   */
  readonly match?: 'all' | 'any' | undefined
}

export interface TermFilter {
  readonly ids: readonly number[]
  readonly all?: boolean | undefined
  readonly withChildren?: boolean | undefined
}

export type PostOrder =
  | 'date'
  | 'modified'
  | 'id'
  | 'title'
  | 'slug'
  | 'author'
  | 'parent'
  | 'menu_order'
  | 'relevance'
  | 'include'
  | 'include_slugs'

/** Query of counts for a type. */
export interface PostCountQuery {
  readonly type: string
  /** User whose posts are counted separately. */
  readonly userId: number
  readonly others?: PostQuery['others']
}

/** Unit and range of `Posts.periods`. */
export interface PeriodQuery {
  readonly unit: 'day' | 'month' | 'year'
  /** Site time, `YYYY-MM-DDTHH:MM:SS`; that moment is in it, `before` is not. */
  readonly after?: string | undefined
  readonly before?: string | undefined
}

/** Posts of one status in one month of site time, `2026-01`. */
export interface PostCount {
  readonly status: string
  readonly month: string
  readonly count: number
  /** Number of those by the user. */
  readonly own: number
}

export interface Posts {
  get(id: number): Promise<Post | undefined>
  getMany(ids: readonly number[]): Promise<Map<number, Post>>
  /** The published, private or protected post at a public path. */
  getByPath(path: string): Promise<Post | undefined>
  /**
   * The post that had a path before: its date changed, the site had a different permalink structure, or it was imported from a different
   * site. Also finds a post by an alternative path, such as one with a wrong category.
   * @param path percent-encoded in lower case, with a slash at both ends; or path and query of a plain permalink, `/?p=7`
   */
  getByFormerPath(path: string): Promise<Post | undefined>
  /**
   * Published posts that a wrong URL may refer to, the most likely first: their slugs start with its last segment
   * (`redirect_guess_404_permalink` in WordPress), and their dates match the date in the URL.
   * @param exact only posts with exactly that slug
   */
  guess(path: string, options?: { readonly exact?: boolean }): Promise<Post[]>
  /** The public post of a non-hierarchical type that previously had the slug. */
  getByOldSlug(slug: string): Promise<Post | undefined>
  query(query: PostQuery): Promise<{ items: Post[]; total: number }>
  /**
   * The best matches for a search phrase, readable like those of the site's search. Without a total; of frequent words only the newest 300
   * matches, and the newest 300 in titles, are ranked, so the cost hardly depends on the size of the site.
   */
  search(words: string, among?: PostSearch): Promise<Post[]>
  /** Fires `transition_post_status` and `save_post`; makes the slug unique like WordPress. */
  insert(post: NewPost): Promise<Post>
  /**
   * Also moves a post to the trash or restores it, by its status. Stores a revision if the title, text, or excerpt changes.
   * @throws RestError `rest_post_invalid_id`; 409 `rest_post_modified` with `unchangedSince`
   */
  update(id: number, changes: NewPost): Promise<Post>
  /** Publishes scheduled posts that are due, once among all processes. Resolves to their number. */
  publishDue(): Promise<number>
  /** Time at which the next scheduled post is due, in milliseconds since 1970. */
  nextDue(): Promise<number | undefined>
  /**
   * Stores a user's unsaved changes, one version for each user and post.
   * @returns the autosave; `undefined` if it equals the post
   */
  autosave(
    postId: number,
    userId: number,
    text: Pick<NewPost, 'title' | 'content' | 'excerpt'>,
  ): Promise<Post | undefined>
  /** The post as it would be after `update`; stores nothing. */
  preview(post: Post, changes: NewPost): Promise<Post>
  /** Attributes all content of a user to another user; fires no hooks, as in `wp_delete_user`. */
  reassign(authorId: number, to: number): Promise<void>
  /**
   * Deletes a post permanently, with its meta, terms and comments; fires `before_delete_post` and `deleted_post`.
   * @throws RestError 409 `rest_post_modified` with `unchangedSince`
   */
  delete(id: number, seen?: Pick<NewPost, 'unchangedSince'>): Promise<Post | undefined>
  /** Public neighbors by date, for "previous" and "next"; with a second argument those that this user may read. */
  neighbors(post: Post, readableBy?: User | null): Promise<{ previous: Post | undefined; next: Post | undefined }>
  /** @deprecated Use `neighbors`. */
  neighbours: Posts['neighbors'] // cspell:ignore neighbours
  /** Number of public posts of a type, default `post`, per period, newest first: `2026-01-05`, `2026-01` or `2026`. */
  periods(query: PeriodQuery, type?: string): Promise<{ period: string; count: number }[]>
  /** Number of posts of a type by status and month, newest first, without auto-drafts. */
  counts(query: PostCountQuery): Promise<PostCount[]>
  /** For the posts that have revisions: their number, and the ID of the newest one. */
  revisions(ids: readonly number[]): Promise<Map<number, { count: number; latestId: number }>>
}
