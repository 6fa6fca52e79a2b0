import type { User } from '../../core/auth/types.ts'
import type { CallbackOptions, Undo } from '../../core/hooks/types.ts'
import type { JsonValue } from '../../core/options/types.ts'
import type { BlockType, RegisterBlockType } from './blocks/types.ts'
import type { Menus } from './menus/types.ts'
import type { Meta, MetaField, MetaKind, MetaOptions, MetaStore } from './meta/types.ts'
import type { Permalinks } from './permalinks/types.ts'
import type { NewPost, Post, PostSearch, Posts } from './posts/types.ts'
import type { NewPostType, NewTaxonomy, PostType, Taxonomy } from './registered-types.ts'
import type { ShortcodeHandler } from './render/hooks.ts'
import type { ExcerptLimits } from './render/index.ts'

export type { BlockAttributes, ParsedBlock } from './blocks/parser.ts'
export type * from './blocks/types.ts'
export type * from './menus/types.ts'
export type * from './meta/types.ts'
export type * from './posts/types.ts'
export type * from './registered-types.ts'

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
  /** @throws RestError `rest_term_invalid`, `duplicate_term_slug` */
  update(
    id: number,
    changes: {
      readonly name?: string | undefined
      readonly slug?: string | undefined
      readonly description?: string | undefined
      readonly parentId?: number | undefined
    },
  ): Promise<Term>
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
  /** Only comments on published posts; on those that ask for a password only if `ofPasswordPosts` is set. */
  readonly ofPublishedPosts?: boolean | undefined
  readonly ofPasswordPosts?: boolean | undefined
  /** Only comments on posts that this user may read; `null` is an anonymous visitor. `total` as in `PostQuery`. */
  readonly readableBy?: User | null | undefined
  /** Only comments on posts of these types. */
  readonly postTypes?: readonly string[] | undefined
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
  /**
   * Fires `wp_insert_comment`. With `once` it is not stored if its author said the same in the same place already, not
   * even at the same moment.
   * @throws RestError 403 `rest_comment_invalid_post_id`, 409 `comment_duplicate`
   */
  insert(comment: NewComment, options?: { readonly once?: boolean | undefined }): Promise<Comment>
  /** Fires `edit_comment`, and what `setStatus` fires. @throws RestError `rest_comment_invalid_id` */
  update(id: number, changes: Partial<NewComment>): Promise<Comment>
  /** Fires `transition_comment_status`, … if it changes. @throws RestError `rest_comment_invalid_id` */
  setStatus(id: number, status: Comment['status']): Promise<Comment>
  /** Takes a comment back from the trash or the spam: it is what it was before. @throws RestError `rest_comment_invalid_id` */
  restore(id: number): Promise<Comment>
  /**
   * Removes it for good with its meta; its answers move up. Fires `delete_comment` and `deleted_comment`. `undefined`:
   * there was none, or somebody else deleted it first.
   */
  delete(id: number): Promise<Comment | undefined>
  /** Every comment of a post whatever its status, oldest first. */
  allOfPost(postId: number): Promise<Comment[]>
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
  /** Of a sound file; `''` where it is not known. */
  readonly artist: string
  /** Of a sound or video file, as it is shown: `2:05`; `''` where it is not known. */
  readonly duration: string
  /** WordPress's EXIF record, as imported. */
  readonly imageMeta: Readonly<Record<string, JsonValue>>
}

/** A file to take in. */
export interface NewFile {
  /** Where it lies on disk, where it stays; or its bytes. */
  readonly source: string | Uint8Array
  /** As its sender calls it; nothing in it is trusted. */
  readonly name: string
}

/** Attachments and their files. `content.posts.delete` takes the files along. */
export interface Media {
  details(attachments: readonly Post[]): Promise<Map<number, MediaDetails>>
  /**
   * Takes a file into the uploads, makes an attachment of it and, of an image, its sizes. What the file is, its content
   * says; an image loses all that tells where it was taken. Fires `add_attachment`.
   *
   * @param post Fields of the attachment. Title and caption come from the file where none are given.
   * @param announce Called when the record is there, before the sizes are made.
   * @throws RestError 400 with `data.reason`: `file_type`, `damaged`, `image_too_large`, `unsafe`, `empty`
   */
  upload(file: NewFile, post?: NewPost, announce?: (attachment: Post) => Promise<void>): Promise<Post>
  /** Makes the sizes of an image anew and removes those it no longer has. @throws RestError `rest_unknown_attachment` */
  regenerate(id: number): Promise<Post>
  /** The file as it was taken in, not scaled down. @throws RestError `rest_unknown_attachment` */
  read(id: number): Promise<Uint8Array>
  /**
   * Does something with that file that takes memory and time, as soon as it is its turn.
   * @throws RestError `rest_unknown_attachment`, and what `task` throws
   */
  work<Result>(id: number, task: (bytes: Uint8Array) => Promise<Result>): Promise<Result>
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
  /** WordPress's structure of posts' addresses, `/%year%/%postname%/`; empty for plain ones, `/?p=7`. */
  readonly permalinkStructure: string
  /** Path in front of categories' and tags' addresses; empty for `category` and `tag`. */
  readonly categoryBase: string
  readonly tagBase: string
  readonly defaultCommentStatus: 'open' | 'closed'
  readonly defaultPingStatus: 'open' | 'closed'
  readonly adminEmail: string
  readonly useSmilies: boolean
  readonly defaultPostFormat: string
  /** Id of an image; `null` for none. */
  readonly siteLogo: number | null
  /** Id of an image; 0 for none. */
  readonly siteIcon: number
}

/** Settings that change. */
export type SiteSettingsChanges = { readonly [Key in keyof SiteSettings]?: SiteSettings[Key] | undefined }

/** Who looks for what on the site. */
export interface ContentSearch extends Pick<PostSearch, 'match' | 'limit'> {
  /** Who asks; `null` is a visitor. */
  readonly user: User | null
  /** Names of public types; default: all of them. Attachments are never found. */
  readonly types?: readonly string[] | undefined
}

/** Everything a visitor can read, and what it hangs on. */
export interface Content {
  readonly posts: Posts
  readonly terms: Terms
  readonly comments: Comments
  readonly media: Media
  readonly menus: Menus
  readonly meta: MetaStore
  postTypes(): ReadonlyMap<string, PostType>
  taxonomies(): ReadonlyMap<string, Taxonomy>
  /** Makes a type with its routes, capabilities and addresses, until undone; the posts stay. */
  registerPostType(type: NewPostType): Undo
  registerTaxonomy(taxonomy: NewTaxonomy): Undo
  /**
   * Declares a meta key, until undone; the values stay. A key that REST shows is a field of `meta`, read and written by
   * who may.
   * @example
   * ```ts
   * import { defineExtension } from 'pentad'
   *
   * export default defineExtension({
   *   id: 'ratings',
   *   name: 'Ratings',
   *   version: '1.0.0',
   *   setup({ content }) {
   *     content.registerPostType({ name: 'book', label: 'Books', restBase: 'books' })
   *     content.registerMeta('post', 'rating', { type: 'integer', single: true, showInRest: true, objectSubtype: 'book' })
   *   },
   * })
   * ```
   */
  registerMeta(kind: MetaKind, key: string, options?: MetaOptions): Undo
  /** The declared keys of one type of things: `metaFields('post', 'page')`. */
  metaFields(kind: MetaKind, subtype?: string): ReadonlyMap<string, MetaField>
  siteSettings(): SiteSettings
  /** What is `undefined` stays. @throws RestError `rest_invalid_param` */
  updateSiteSettings(changes: SiteSettingsChanges): Promise<SiteSettings>
  /**
   * Whether somebody may read a post; `null` is an anonymous visitor. What is published is for everybody, unless the
   * filter `map_meta_cap` (of `read_post`) or `read_post_caps` says otherwise; anything else as WordPress's capabilities allow. An attachment
   * can be read where the post that it belongs to can. A password is another matter: it closes the text, not the post.
   */
  canRead(post: Post, user: User | null): Promise<boolean>
  /** Those of the posts that somebody may read, in order; for many at once. To ask for a list: `PostQuery.readableBy`. */
  readable(posts: readonly Post[], user: User | null): Promise<Post[]>
  /**
   * Those of the attachments that a post may show: what everybody may read, and what its author may. Otherwise whoever
   * writes a post would learn from its preview where the files of others' drafts are.
   */
  readableIn(attachments: readonly Post[], shownBy: Post): Promise<Post[]>
  /**
   * Whether nothing but its status decides who reads a post: no extension listens to the capability filters. Then what
   * the database says of published posts is for everybody; whoever asks it without `readableBy` asks this first.
   */
  isReadByStatus(): boolean
  /**
   * The best posts for somebody's words among those that they may read: their own drafts, others' as their capabilities
   * allow, and for a visitor what is published without a password. Without words what was changed last. As
   * `posts.search` it costs about the same on a site of any size.
   */
  search(words: string, asked: ContentSearch): Promise<Post[]>
  /** Where archives are under the permalink structure that is set. */
  permalinks(): Permalinks
  /** Absolute URL of a post's or term's public page; `/?p=7` for one without a path. */
  link(of: Post | Term): string
  /**
   * WordPress's `add_shortcode`: what takes the place of `[name]` in content. A handler that throws, takes too long or
   * answers no string leaves the shortcode as text, or nothing of one that encloses content, and is counted against its
   * extension. Of several for one name the last one counts.
   *
   * @param options.onError - `'closed'` where the shortcode keeps its content from some visitors: see `CallbackOptions`
   *
   * @throws TypeError for a name with other characters than letters, digits, `_` and `-`
   *
   * @example
   * ```ts
   * import { defineExtension } from 'pentad'
   *
   * export default defineExtension({
   *   id: 'year',
   *   name: 'Year',
   *   version: '1.0.0',
   *   setup({ content }) {
   *     content.addShortcode('year', () => String(new Date().getFullYear()))
   *   },
   * })
   * ```
   */
  addShortcode(name: string, handler: ShortcodeHandler, options?: Pick<CallbackOptions, 'onError'>): Undo
  /**
   * WordPress's `register_block_type`: what a block of this type shows. The attributes have the defaults of the block type,
   * and none that its schema does not allow. A render callback that throws, takes too long or returns no string shows
   * nothing in the place of its block, and is counted against its extension. A type without one is static: its saved HTML is
   * shown. Of several for one name the last one counts.
   *
   * @param block - The name, `namespace/name`, or a parsed `block.json`
   * @param options.onError - `'closed'` where the block keeps its content from some visitors: see `CallbackOptions`
   *
   * @throws TypeError for a name that is not `namespace/name` of a-z, 0-9 and -
   *
   * @example
   * ```ts
   * import { defineExtension, escapeHtml } from 'pentad'
   *
   * export default defineExtension({
   *   id: 'notice',
   *   name: 'Notice',
   *   version: '1.0.0',
   *   setup({ content }) {
   *     content.registerBlockType('notice/box', {
   *       title: 'Notice',
   *       attributes: { tone: { type: 'string', enum: ['calm', 'urgent'], default: 'calm' } },
   *       renderCallback: ({ tone }, html) => `<aside class="${escapeHtml(String(tone))}">${html}</aside>`,
   *     })
   *   },
   * })
   * ```
   */
  registerBlockType: RegisterBlockType
  /**
   * WordPress's `wp_oembed_add_provider`: which URLs are embedded with what a provider says of them (https://oembed.com). Its
   * HTML is trusted, scripts included.
   *
   * @param format - `https://videos.example.org/watch/*`, where `*` is any text and `http://` stands for both schemes; with
   * `isRegex` a regular expression, which ignores case
   * @param endpoint - Where the provider answers; `{format}` becomes `json`
   *
   * @throws TypeError for an endpoint that is no https URL
   *
   * @example
   * ```ts
   * import { defineExtension } from 'pentad'
   *
   * export default defineExtension({
   *   id: 'own-videos',
   *   name: 'Own videos',
   *   version: '1.0.0',
   *   setup({ content }) {
   *     content.addOembedProvider('https://videos.example.org/watch/*', 'https://videos.example.org/oembed')
   *   },
   * })
   * ```
   */
  addOembedProvider(format: string, endpoint: string, isRegex?: boolean): Undo
  /** The registered block types, by name. */
  blockTypes(): Readonly<Record<string, BlockType>>
  /** HTML for a visitor: blocks, paragraphs, shortcodes, then the filter `the_content`. */
  renderContent(post: Post): Promise<string>
  renderExcerpt(post: Post): Promise<string>
  /**
   * WordPress's `get_the_excerpt`: what the author wrote, else the first words of the content, without paragraphs. HTML.
   * Whether the reader may see it, as of a post with a password, is the caller's to ask.
   */
  getExcerpt(post: Post, limits?: ExcerptLimits): Promise<string>
  /** WordPress's `do_blocks`: a text with its blocks rendered, as if it stood in the post. No other filter sees it. */
  renderBlocks(text: string, post: Post): Promise<string>
  renderTitle(post: Post): string
  /** HTML for a visitor: safe, with links and paragraphs, then the filter `comment_text`. */
  renderComment(comment: Comment): string
  /**
   * An HTML text with typographic quotes, dashes and ellipses for the typed ones, as the site's language sets them;
   * WordPress's `wptexturize`. Contents, excerpts, titles and comments come with them.
   */
  texturize(html: string): string
  /**
   * The words of the content as its author wrote them, on one line: no markup, shortcodes, captions and code, and nothing
   * that extensions add. For who may edit the post: what extensions hide is in it. For everybody else: `publicText`.
   */
  renderText(post: Post): Promise<string>
  /**
   * The words of the content that everybody can read, on one line: as `renderText`, without what extensions hide from
   * visitors; empty for a post that is not for everybody or has a password. For descriptions, feeds for machines, models,
   * indexes, whatever leaves the page. Made once and remembered for a minute at most, as long as nothing changes.
   *
   * @param most How much of the content is read where its beginning is enough, in characters.
   */
  publicText(post: Post, most?: number): Promise<string>
  /** As `publicText`, of the excerpt that the author wrote; empty without one. */
  publicExcerpt(post: Post): Promise<string>
  /**
   * The HTML in which everybody finds what the content shows, such as images and links: as it is stored where no extension
   * can hide a part of it, else as a visitor gets it. Empty as `publicText`. Not for output.
   */
  publicMarkup(post: Post): Promise<string>
  /** The text with addresses of a former URL of the site brought to its present one, as content is shown. */
  currentAddresses(text: string): string
}
