import type { Comment } from '../comments/types.ts'
import type { Post } from '../posts/types.ts'

/** Arguments of a shortcode handler. */
export interface Shortcode {
  /** `gallery` */
  readonly name: string
  /** `ids="4,5"` → `{ ids: '4,5' }`; names in lower case. */
  readonly attributes: Readonly<Record<string, string>>
  /** Attributes without a name, in order. */
  readonly values: readonly string[]
  /** The text between `[name]` and `[/name]`; `null` without a closing tag. */
  readonly content: string | null
}

/** Returns the HTML that replaces the shortcode. It must escape attributes that it outputs. */
export type ShortcodeHandler = (shortcode: Shortcode, post: Post) => string | Promise<string>

/** Limits of an excerpt. */
export interface ExcerptLimits {
  /** Maximum words of a generated excerpt; default: the `excerpt_length` filter. */
  readonly length?: number
  /** Follows where something was left out; default: what `excerpt_more` says. */
  readonly more?: string
}

/** Renders posts. Access must be checked by the caller: `postPasswordRequired`. */
export interface Render {
  /** The whole content: the `the_content` filter. */
  content(post: Post): Promise<string>
  /** Whether the content depends on nothing but content and settings: no shortcodes, frames, embeds, or blocks that core renders. */
  isPlain(post: Post): boolean
  /** The excerpt as HTML: the `the_excerpt` filter. */
  excerpt(post: Post): Promise<string>
  /** Like `Content.getExcerpt`. */
  plainExcerpt(post: Post, limits?: ExcerptLimits): Promise<string>
  /** Renders a text within a post; WordPress's `do_blocks`. */
  blocks(text: string, post: Post): Promise<string>
  /** The title as HTML: the `the_title` filter. */
  title(post: Post): string
  /** The text of a comment as HTML: the `comment_text` filter. */
  comment(comment: Comment): string
  /** A text with typographic quotes and dashes: WordPress's `wptexturize`. */
  texturize(html: string): string
  /** The words of the content alone; no filter sees them. */
  text(post: Pick<Post, 'content'>): Promise<string>
  /** Like `text`, with `GAP` for omitted parts, for comparison with the displayed text. */
  pieces(post: Pick<Post, 'content'>): Promise<string>
}
