import type { User } from '../../core/auth/types.ts'
import type { CallbackOptions, Undo } from '../../core/hooks/types.ts'
import type { BlockType, RegisterBlockType } from './blocks/types.ts'
import type { Comment, Comments } from './comments/types.ts'
import type { Media } from './media/types.ts'
import type { Menus } from './menus/types.ts'
import type { MetaField, MetaKind, MetaOptions, MetaStore } from './meta/types.ts'
import type { Permalinks } from './permalinks/types.ts'
import type { Post, Posts } from './posts/types.ts'
import type { NewPostType, NewTaxonomy, PostType, Taxonomy } from './registered-types.ts'
import type { ExcerptLimits, ShortcodeHandler } from './render/types.ts'
import type { ContentSearch } from './search/types.ts'
import type { SiteSettings, SiteSettingsChanges } from './site-settings.ts'
import type { Term, Terms } from './terms/types.ts'

export type { BlockAttributes, ParsedBlock } from './blocks/parser.ts'
export type * from './blocks/types.ts'
export type * from './comments/types.ts'
export type * from './media/types.ts'
export type * from './menus/types.ts'
export type * from './meta/types.ts'
export type * from './posts/types.ts'
export type * from './registered-types.ts'
export type * from './search/types.ts'
export type { SiteSettings, SiteSettingsChanges } from './site-settings.ts'
export type * from './terms/types.ts'

/** The content of the site, and what it is made of: post types, meta, terms, comments, media. */
export interface Content {
  readonly posts: Posts
  readonly terms: Terms
  readonly comments: Comments
  readonly media: Media
  readonly menus: Menus
  readonly meta: MetaStore
  postTypes(): ReadonlyMap<string, PostType>
  taxonomies(): ReadonlyMap<string, Taxonomy>
  /** Registers a post type with its routes, capabilities and URLs, until undone; its posts are preserved. */
  registerPostType(type: NewPostType): Undo
  registerTaxonomy(taxonomy: NewTaxonomy): Undo
  /**
   * Declares a meta key, until undone; stored values are preserved. With `showInRest`, the key is a field of `meta` in REST, for users with
   * permission.
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
  /** The declared keys of one object type: `metaFields('post', 'page')`. */
  metaFields(kind: MetaKind, subtype?: string): ReadonlyMap<string, MetaField>
  siteSettings(): SiteSettings
  /**
   * `undefined` values are left unchanged. With another language, the usual date and time formats change to those of that language, unless
   * the changes contain formats.
   *
   * @throws RestError `rest_invalid_param`
   */
  updateSiteSettings(changes: SiteSettingsChanges): Promise<SiteSettings>
  /**
   * Whether a user can read a post; `null` is an anonymous visitor. Published posts are public unless the `map_meta_cap` filter (for
   * `read_post`) or `read_post_caps` restricts them; others require WordPress's capabilities. Attachments are readable if their parent is.
   * Post passwords are separate: they protect the text, not the post.
   */
  canRead(post: Post, user: User | null): Promise<boolean>
  /** The posts that a user can read, in order; for many posts at once. For lists use `PostQuery.readableBy`. */
  readable(posts: readonly Post[], user: User | null): Promise<Post[]>
  /**
   * The attachments that a post may show: public ones, and those that its author can read. Otherwise authors could find the files of other
   * users' drafts through previews.
   */
  readableIn(attachments: readonly Post[], shownBy: Post): Promise<Post[]>
  /**
   * Whether the status of a post alone decides who can read it, because no extension has callbacks for capability filters. Then published
   * posts are public; check this before a query without `readableBy`.
   */
  isReadByStatus(): boolean
  /**
   * Whether visitors see contents and titles as they are stored, because no extension has callbacks that can change them. Then what was
   * computed from them can be reused as long as `version` is the same.
   *
   * @param post - If given, also whether its content contains no shortcodes, iframes, embeds, or dynamic blocks.
   */
  isShownAsStored(post?: Post): boolean
  /**
   * Identifies the state of posts, terms, and their meta: the same string in all processes of the site until one of them changes. Read it
   * before you read content; results computed from that content can be reused until the version changes.
   */
  version(): Promise<string>
  /**
   * The best matches for a search phrase among the posts that the user can read: own drafts, those of others by capabilities, and for
   * anonymous visitors published posts without a password. Without words, the most recently changed ones. As with `posts.search`, the cost
   * hardly depends on the size of the site.
   */
  search(words: string, asked: ContentSearch): Promise<Post[]>
  /** Paths of archives under the current permalink structure. */
  permalinks(): Permalinks
  /** Absolute URL of a post's or term's public page; `/?p=7` for one without a path. */
  link(of: Post | Term): string
  /**
   * Registers a shortcode, like `add_shortcode` in WordPress: the handler returns the HTML for `[name]`. If it throws, takes too long or
   * does not return a string, the shortcode is shown as text (an enclosing one not at all), and this counts as an error in the
   * extension. If a name is registered several times, the last one applies.
   *
   * @param options.onError - `'closed'` if the shortcode hides its content from some visitors: see `CallbackOptions`
   *
   * @throws TypeError for a name with characters other than letters, digits, `_` and `-`
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
   * Registers a block type, like `register_block_type` in WordPress. The render callback receives the attributes with the defaults of
   * the type, without those that its schema does not allow. If it throws, takes too long or does not return a string, the block is
   * omitted, and this counts as an error in the extension. A type without a callback is static: its saved HTML is shown. If a name is
   * registered several times, the last one applies.
   *
   * @param block - The name, `namespace/name`, or a parsed `block.json`
   * @param options.onError - `'closed'` if the block hides its content from some visitors: see `CallbackOptions`
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
   * Registers an oEmbed provider for URLs (https://oembed.com), like `wp_oembed_add_provider` in WordPress. Its HTML is trusted,
   * including scripts.
   *
   * @param format - `https://videos.example.org/watch/*`, where `*` is any text and `http://` matches both schemes; with
   * `isRegex` a regular expression, which ignores case
   * @param endpoint - URL of the oEmbed endpoint; `{format}` becomes `json`
   *
   * @throws TypeError if the endpoint is not an https URL
   *
   * @example
   * ```ts
   * import { defineExtension } from 'pentad'
   *
   * export default defineExtension({
   *   id: 'custom-videos',
   *   name: 'Custom videos',
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
  /** HTML for a visitor: blocks, paragraphs, shortcodes, then the `the_content` filter. */
  renderContent(post: Post): Promise<string>
  renderExcerpt(post: Post): Promise<string>
  /**
   * The excerpt as HTML, like `get_the_excerpt` in WordPress: as written by the author, or else the first words of the content, without
   * paragraphs. The caller must check whether the visitor may see it, for example if the post has a password.
   */
  getExcerpt(post: Post, limits?: ExcerptLimits): Promise<string>
  /** Renders the blocks in a string as if it were in the post, like `do_blocks` in WordPress. No other filters are applied. */
  renderBlocks(text: string, post: Post): Promise<string>
  renderTitle(post: Post): string
  /** HTML for a visitor: safe, with links and paragraphs, then the `comment_text` filter. */
  renderComment(comment: Comment): string
  /**
   * Replaces quotes, dashes and ellipses in HTML with typographic ones for the site's language, like `wptexturize` in WordPress.
   * Already applied to contents, excerpts, titles and comments.
   */
  texturize(html: string): string
  /**
   * The author's words of the content as a single line: without markup, shortcodes, captions and code, and without what extensions add. For
   * users who can edit the post, because it includes what extensions hide; for others use `publicText`.
   */
  renderText(post: Post): Promise<string>
  /**
   * The public words of the content as a single line: like `renderText`, without what extensions hide from anonymous visitors; empty for a
   * post that is not public or has a password. For everything except the page itself: descriptions, feeds, models, indexes. Cached for up
   * to a minute.
   */
  publicText(post: Post, most?: number): Promise<string>
  /** Like `publicText`, for the author's excerpt; empty without one. */
  publicExcerpt(post: Post): Promise<string>
  /**
   * The HTML in which to find public parts of the content, such as images and links: as stored if no extension can hide parts of it,
   * otherwise as rendered for an anonymous visitor. Empty in the same cases as `publicText`. Not for output.
   */
  publicMarkup(post: Post): Promise<string>
  /** The text with URLs that start with a former URL of the site changed to the current one, as in displayed content. */
  currentAddresses(text: string): string
}
