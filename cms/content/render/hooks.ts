import type { FilterShapes } from '../../../core/hooks/shapes.ts'
import { callable, listOf, recordOf } from '../../../core/hooks/value-checks.ts'
import type { Comment, Post } from '../types.ts'
import type { Shortcode, ShortcodeHandler } from './types.ts'

declare module '../../../core/hooks/names.ts' {
  interface AsyncFilters {
    /**
     * Filters the HTML of a post. Core's callbacks run at the same priorities as in WordPress: blocks are rendered at 9, typographic
     * characters and paragraphs are inserted at 10, shortcodes are processed at 11, images get their attributes at 12.
     * A callback with a priority below 9 receives the text as it was written; one above 12 receives the finished HTML.
     * @param content The HTML.
     * @param post The post.
     * @example
     * ```ts
     * import { defineExtension } from 'pentad'
     *
     * export default defineExtension({
     *   id: 'signature',
     *   name: 'Signature',
     *   version: '1.0.0',
     *   setup({ hooks }) {
     *     hooks.addFilter('the_content', (content, post) => (post.type === 'post' ? `${content}<p>— The editors</p>` : content))
     *   },
     * })
     * ```
     * @since 0.1.0
     */
    the_content: [content: string, post: Post]
    /**
     * Filters the excerpt of a post as HTML: written by the author, or the first words of the content.
     * @param excerpt The HTML.
     * @param post The post.
     * @since 0.1.0
     */
    the_excerpt: [excerpt: string, post: Post]
    /**
     * Filters the HTML of one shortcode. `content.addShortcode` adds its callback to this filter.
     * @param html `null` before the first callback; if it is still `null` at the end, the shortcode is shown as text.
     * @param shortcode The shortcode, with the shortcodes in its content already rendered.
     * @param post The post that contains it.
     * @since 0.1.0
     */
    [name: `render_shortcode_${string}`]: [html: string | null, shortcode: Shortcode, post: Post]
  }

  interface Filters {
    /**
     * Filters the title of a post as HTML, on pages, in feeds, and in REST.
     * @param title The title, with the prefix of a protected or private post.
     * @param postId ID of the post.
     * @since 0.1.0
     */
    the_title: [title: string, postId: number]
    /**
     * Filters the title format of password-protected posts; `%s` is the title.
     * @param format Format of the title; default `Protected: %s`.
     * @param post The post.
     * @since 0.1.0
     */
    protected_title_format: [format: string, post: Post]
    /**
     * Filters the title format of private posts; `%s` is the title.
     * @param format Format of the title; default `Private: %s`.
     * @param post The post.
     * @since 0.1.0
     */
    private_title_format: [format: string, post: Post]
    /**
     * Filters the text of a comment as HTML, on pages, in feeds, and in REST. Core's callbacks run at the WordPress
     * priorities: URLs become links at 9, typographic characters are inserted at 10, emoji at 20, paragraphs at 30.
     * @param text The sanitized HTML.
     * @param comment The comment.
     * @since 0.1.0
     */
    comment_text: [text: string, comment: Comment]
    /**
     * Filters whether quotes, dashes, and similar characters are replaced with typographic ones.
     * @param texturize Whether to replace them; default `true`.
     * @since 0.1.0
     */
    run_wptexturize: [texturize: boolean]
    /**
     * Filters the HTML elements whose content is excluded from typographic replacements of quotes and dashes.
     * @param tags Names of elements; default `pre`, `code`, `kbd`, `style`, `script`, and `tt`.
     * @since 0.1.0
     */
    no_texturize_tags: [tags: readonly string[]]
    /**
     * Filters the shortcodes whose content is excluded from typographic replacements of quotes and dashes.
     * @param shortcodes Names of shortcodes; default `['code']`.
     * @since 0.1.0
     */
    no_texturize_shortcodes: [shortcodes: readonly string[]]
    /**
     * Filters the number of words of an excerpt generated from the content.
     * @param words Number of words; default 55.
     * @since 0.1.0
     */
    excerpt_length: [words: number]
    /**
     * Filters the text after a truncated excerpt.
     * @param more HTML; default ` [&hellip;]`.
     * @since 0.1.0
     */
    excerpt_more: [more: string]
    /**
     * Filters the shortcodes, by name. `content.addShortcode` adds one.
     * @param shortcodes Handlers by name; return a new record instead of modifying this one.
     * @since 0.1.0
     */
    shortcode_tags: [shortcodes: Readonly<Record<string, ShortcodeHandler>>]
  }
}

/** What these filters may return at run time. */
export const filterShapes = {
  the_content: 'string',
  the_excerpt: 'string',
  the_title: 'string',
  comment_text: 'string',
  run_wptexturize: 'boolean',
  no_texturize_tags: listOf('string'),
  no_texturize_shortcodes: listOf('string'),
  protected_title_format: 'string',
  private_title_format: 'string',
  excerpt_length: 'number',
  excerpt_more: 'string',
  'render_shortcode_*': ['string', 'null'],
  shortcode_tags: recordOf(callable),
} satisfies FilterShapes
