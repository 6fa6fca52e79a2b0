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
  /** Registers a post type with its routes, capabilities and URLs, until undone; its posts are preserved. */
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
  /** `undefined` values stay unchanged. @throws RestError `rest_invalid_param` */
  updateSiteSettings(changes: SiteSettingsChanges): Promise<SiteSettings>
  /**
   * Whether a user can read a post; `null` is an anonymous visitor. Published posts are public unless the filter `map_meta_cap` (for
   * `read_post`) or `read_post_caps` restricts them; others require WordPress's capabilities. Attachments are readable if their parent is.
   * Post passwords are separate: they protect the text, not the post.
   */
  canRead(post: Post, user: User | null): Promise<boolean>
  /** The posts that a user can read, in order; for many posts at once. For lists use `PostQuery.readableBy`. */
  readable(posts: readonly Post[], user: User | null): Promise<Post[]>
  /**
   * The attachments that a post may show: public ones, and those that its author can read. Otherwise authors could find the files of other
   * users' drafts by previews.
   */
  readableIn(attachments: readonly Post[], shownBy: Post): Promise<Post[]>
  /**
   * Whether the status of a post alone decides who can read it, because no extension has callbacks for capability filters. Then published
   * posts are public; check this before a query without `readableBy`.
   */
  isReadByStatus(): boolean
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
   * WordPress's `add_shortcode`: what takes the place of `[name]` in content. A handler that throws, takes too long or
   * returns no string leaves the shortcode as text, or nothing of one that encloses content, and is counted against its
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
   * WordPress's `wp_oembed_add_provider`: registers an oEmbed provider for URLs (https://oembed.com). Its HTML is trusted, including
   * scripts.
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
   * The author's words of the content as a single line: without markup, shortcodes, captions and code, and without what extensions add. For
   * users who can edit the post, because it includes what extensions hide; for others use `publicText`.
   */
  renderText(post: Post): Promise<string>
  /**
   * The public words of the content as a single line: like `renderText`, without what extensions hide from anonymous visitors; empty for a
   * post that is not public or has a password. For everything besides the page: descriptions, feeds, models, indexes. Cached for up to a
   * minute.
   */
  publicText(post: Post, most?: number): Promise<string>
  /** Like `publicText`, for the author's excerpt; empty without one. */
  publicExcerpt(post: Post): Promise<string>
  /**
   * The HTML in which to find public parts of the content, such as images and links: as stored if no extension can hide parts of it,
   * otherwise as rendered for an anonymous visitor. Empty in the same cases as `publicText`. Not for output.
   */
  publicMarkup(post: Post): Promise<string>
  /** The text with addresses of a former URL of the site brought to its present one, as content is shown. */
  currentAddresses(text: string): string
}
