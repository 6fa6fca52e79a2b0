import type { Comment } from '../comments/types.ts'
import type { Post } from '../posts/types.ts'

/** What of a shortcode its handler gets. */
export interface Shortcode {
  /** `gallery` */
  readonly name: string
  /** `ids="4,5"` → `{ ids: '4,5' }`; names in lower case. */
  readonly attributes: Readonly<Record<string, string>>
  /** Attributes without a name, in order. */
  readonly values: readonly string[]
  /** What stands between `[name]` and `[/name]`; `null` without a closing tag. */
  readonly content: string | null
}

/** Answers the HTML that takes the shortcode's place. What it takes over from the attributes it must escape. */
export type ShortcodeHandler = (shortcode: Shortcode, post: Post) => string | Promise<string>

/** How much of a post an excerpt shows. */
export interface ExcerptLimits {
  /** Words of one that is made of the content; default: what `excerpt_length` says. */
  readonly length?: number
  /** Follows where something was left out; default: what `excerpt_more` says. */
  readonly more?: string
}

/** What a post looks like to a visitor. Whether they may see it is the caller's to ask: `postPasswordRequired`. */
export interface Render {
  /** The whole content: the filter `the_content`. */
  content(post: Post): Promise<string>
  /** The excerpt as HTML: the filter `the_excerpt`. */
  excerpt(post: Post): Promise<string>
  /** As `Content.getExcerpt`. */
  plainExcerpt(post: Post, limits?: ExcerptLimits): Promise<string>
  /** Renders a text within a post; WordPress's `do_blocks`. */
  blocks(text: string, post: Post): Promise<string>
  /** The title as HTML: the filter `the_title`. */
  title(post: Post): string
  /** The text of a comment as HTML: the filter `comment_text`. */
  comment(comment: Comment): string
  /** A text with typographic quotes and dashes: WordPress's `wptexturize`. */
  texturize(html: string): string
  /** The words of the content alone; no filter sees them. */
  text(post: Post): Promise<string>
  /** As `text`, with `GAP` where something was left out, to be compared with what is shown. */
  pieces(post: Post): Promise<string>
}
