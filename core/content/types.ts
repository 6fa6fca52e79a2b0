import type { Undo } from '../hooks/types.ts'
import type { JsonValue } from '../options/types.ts'

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
  /** On `insert`: the id it should get; another one if that is taken (WordPress's `import_id`). */
  readonly id?: number | undefined
  readonly meta?: Meta | undefined
  /** Term ids by taxonomy; replaces what was set. */
  readonly terms?: Readonly<Record<string, readonly number[]>> | undefined
}

/** Values by key; a key may hold several, in order. */
export type Meta = Readonly<Record<string, readonly JsonValue[]>>

/** An empty list is no condition, as in WordPress's `WP_Query`. */
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
  /** Term ids by taxonomy; `all` asks for every one of them, `withChildren` takes in the terms below. */
  readonly terms?: Readonly<Record<string, TermFilter>> | undefined
  readonly notTerms?: Readonly<Record<string, TermFilter>> | undefined
  /** Full-text search. */
  readonly search?: string | undefined
  readonly sticky?: boolean | undefined
  /** How conditions on several taxonomies belong together; default `and`. `notTerms` always holds. */
  readonly termRelation?: 'and' | 'or' | undefined
  /** Of posts that this user did not write only those with these statuses. */
  readonly others?: { readonly than: number; readonly statuses: readonly string[] } | undefined
  /** `false` leaves out posts that ask for a password. */
  readonly hasPassword?: boolean | undefined
  /** Site time, `YYYY-MM-DDTHH:MM:SS`. */
  readonly after?: string | undefined
  readonly before?: string | undefined
  readonly modifiedAfter?: string | undefined
  readonly modifiedBefore?: string | undefined
  /** Default `date`; `relevance` without a search is `date` too. */
  readonly orderBy?: PostOrder | undefined
  readonly order?: 'asc' | 'desc' | undefined
  /** Sticky posts first, as the home page wants. */
  readonly stickyFirst?: boolean | undefined
  /** Default 10. */
  readonly limit?: number | undefined
  readonly offset?: number | undefined
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

export interface Posts {
  get(id: number): Promise<Post | undefined>
  getMany(ids: readonly number[]): Promise<Map<number, Post>>
  /** The published, private or protected post at a public path. */
  getByPath(path: string): Promise<Post | undefined>
  query(query: PostQuery): Promise<{ items: Post[]; total: number }>
  /** Fires `transition_post_status` and `save_post`; makes the slug unique as WordPress does. */
  insert(post: NewPost): Promise<Post>
  update(id: number, changes: NewPost): Promise<Post>
  /** Removes it for good with its meta, terms and comments; fires `before_delete_post` and `deleted_post`. */
  delete(id: number): Promise<Post | undefined>
  /** Public neighbours by date, for "previous" and "next". */
  neighbours(post: Post): Promise<{ previous: Post | undefined; next: Post | undefined }>
  /** How many posts are public in each month, newest first. */
  months(type?: string): Promise<{ year: number; month: number; count: number }[]>
  /** Those of the posts that have revisions: how many, and the id of the newest. */
  revisions(ids: readonly number[]): Promise<Map<number, { count: number; latestId: number }>>
}

export interface Term {
  readonly id: number
  readonly taxonomy: string
  readonly name: string
  readonly slug: string
  readonly description: string
  readonly parentId: number
  readonly count: number
  /** Path of its archive, `/category/travel/europe/`. */
  readonly path: string
}

export interface NewTerm {
  readonly name: string
  readonly slug?: string | undefined
  readonly description?: string | undefined
  readonly parentId?: number | undefined
  /** The id it should get; another one if that is taken. */
  readonly id?: number | undefined
  readonly meta?: Meta | undefined
}

export interface TermQuery {
  readonly taxonomy: string
  readonly include?: readonly number[] | undefined
  readonly exclude?: readonly number[] | undefined
  readonly slugs?: readonly string[] | undefined
  readonly parent?: number | undefined
  /** Terms of this post. */
  readonly postId?: number | undefined
  readonly search?: string | undefined
  readonly hideEmpty?: boolean | undefined
  readonly orderBy?:
    | 'id'
    | 'name'
    | 'slug'
    | 'count'
    | 'description'
    | 'term_group'
    | 'include'
    | 'include_slugs'
    | undefined
  readonly order?: 'asc' | 'desc' | undefined
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

export interface Terms {
  get(id: number): Promise<Term | undefined>
  getMany(ids: readonly number[]): Promise<Map<number, Term>>
  getBySlug(taxonomy: string, slug: string): Promise<Term | undefined>
  query(query: TermQuery): Promise<{ items: Term[]; total: number }>
  /** @throws RestError `term_exists` */
  insert(taxonomy: string, term: NewTerm): Promise<Term>
  update(id: number, changes: { name?: string; slug?: string; description?: string; parentId?: number }): Promise<Term>
  delete(id: number): Promise<void>
  /** Term ids of each post, in order, by taxonomy. */
  ofPosts(postIds: readonly number[]): Promise<Map<number, Record<string, number[]>>>
  /** Replaces the post's terms of that taxonomy and corrects the counts; fires `set_object_terms`. */
  setForPost(postId: number, taxonomy: string, termIds: readonly number[]): Promise<void>
}

export interface Comment {
  readonly id: number
  readonly postId: number
  readonly parentId: number
  readonly userId: number
  readonly authorName: string
  readonly authorEmail: string
  readonly authorUrl: string
  readonly authorAddress: string
  readonly userAgent: string
  readonly content: string
  readonly status: 'approved' | 'hold' | 'spam' | 'trash'
  readonly type: string
  readonly date: string
  readonly dateGmt: string
}

export type NewComment = Omit<Comment, 'id'> & { readonly meta?: Meta | undefined }

export interface CommentQuery {
  readonly include?: readonly number[] | undefined
  readonly exclude?: readonly number[] | undefined
  readonly posts?: readonly number[] | undefined
  readonly parents?: readonly number[] | undefined
  readonly notParents?: readonly number[] | undefined
  /** Ids of users. */
  readonly authors?: readonly number[] | undefined
  readonly notAuthors?: readonly number[] | undefined
  readonly authorEmail?: string | undefined
  /** Default: all. */
  readonly statuses?: readonly string[] | undefined
  readonly types?: readonly string[] | undefined
  /** Only comments on published posts without a password. */
  readonly ofPublishedPosts?: boolean | undefined
  /** In the text, the author's name and URL. */
  readonly search?: string | undefined
  /** Site time, `YYYY-MM-DDTHH:MM:SS`. */
  readonly after?: string | undefined
  readonly before?: string | undefined
  /** Default `date`. */
  readonly orderBy?: 'date' | 'id' | 'include' | 'post' | 'parent' | 'type' | undefined
  /** Default `desc`. */
  readonly order?: 'asc' | 'desc' | undefined
  /** Default 10. */
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

export interface Comments {
  get(id: number): Promise<Comment | undefined>
  query(query: CommentQuery): Promise<{ items: Comment[]; total: number }>
  /** Those of the comments that have an approved answer. */
  answered(ids: readonly number[]): Promise<Set<number>>
  /** Approved comments of a post, oldest first. */
  ofPost(postId: number): Promise<Comment[]>
  insert(comment: NewComment): Promise<Comment>
  /** Every comment of a post whatever its status, oldest first. */
  allOfPost(postId: number): Promise<Comment[]>
}

export type MetaKind = 'post' | 'user' | 'term' | 'comment'

/** Free key-value pairs on posts, users, terms and comments. */
export interface MetaStore {
  of(kind: MetaKind, ids: readonly number[]): Promise<Map<number, Meta>>
  get(kind: MetaKind, id: number, key: string): Promise<JsonValue | undefined>
  /** Replaces all values of the key. */
  set(kind: MetaKind, id: number, key: string, ...values: JsonValue[]): Promise<void>
  delete(kind: MetaKind, id: number, key: string): Promise<void>
}

/** One file of an image in one size. */
export interface ImageSize {
  readonly file: string
  readonly width: number
  readonly height: number
  readonly mimeType: string
  readonly filesize?: number | undefined
  readonly url: string
}

/** What is known of an attachment's file. */
export interface MediaDetails {
  /** Below the uploads folder: `2026/01/map.png`. */
  readonly file: string
  readonly url: string
  readonly alt: string
  readonly width: number
  readonly height: number
  readonly filesize: number | undefined
  /** Includes `full`. */
  readonly sizes: Readonly<Record<string, ImageSize>>
  /** WordPress's EXIF record, as imported. */
  readonly imageMeta: Readonly<Record<string, JsonValue>>
}

export interface Media {
  details(attachments: readonly Post[]): Promise<Map<number, MediaDetails>>
}

export interface PostType {
  readonly name: string
  readonly label: string
  readonly singularLabel: string
  readonly hierarchical: boolean
  readonly public: boolean
  /** Last part of its `wp/v2` route; `null` for no route. */
  readonly restBase: string | null
  readonly taxonomies: readonly string[]
  readonly supports: readonly string[]
  /** Prefix of its capabilities: `post` → `edit_posts`. */
  readonly capabilityType: readonly [singular: string, plural: string]
  readonly description: string
}

export interface Taxonomy {
  readonly name: string
  readonly label: string
  readonly singularLabel: string
  readonly hierarchical: boolean
  readonly public: boolean
  readonly restBase: string | null
  readonly types: readonly string[]
  /** First part of its archive's path: `category`. */
  readonly rewriteSlug: string
  readonly description: string
}

/** The site's own settings, WordPress's names and defaults; stored in the option `site_settings`. */
export interface SiteSettings {
  readonly title: string
  readonly description: string
  /** IANA name; empty is UTC. */
  readonly timezone: string
  readonly dateFormat: string
  readonly timeFormat: string
  readonly startOfWeek: number
  readonly language: string
  readonly postsPerPage: number
  readonly showOnFront: 'posts' | 'page'
  readonly pageOnFront: number
  readonly pageForPosts: number
  readonly defaultCategory: number
  readonly defaultCommentStatus: 'open' | 'closed'
  readonly defaultPingStatus: 'open' | 'closed'
  readonly adminEmail: string
}

/** Everything a visitor can read, and what it hangs on. */
export interface Content {
  readonly posts: Posts
  readonly terms: Terms
  readonly comments: Comments
  readonly media: Media
  readonly meta: MetaStore
  postTypes(): ReadonlyMap<string, PostType>
  taxonomies(): ReadonlyMap<string, Taxonomy>
  registerPostType(type: PostType): Undo
  registerTaxonomy(taxonomy: Taxonomy): Undo
  siteSettings(): SiteSettings
  updateSiteSettings(changes: Partial<SiteSettings>): Promise<SiteSettings>
  /** Absolute URL of a post's or term's public page; `/?p=7` for one without a path. */
  link(of: Post | Term): string
  /** HTML for a visitor: blocks, paragraphs, shortcodes, then the filter `the_content`. */
  renderContent(post: Post): Promise<string>
  renderExcerpt(post: Post): Promise<string>
  renderTitle(post: Post): string
}
