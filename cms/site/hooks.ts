import type { UserQuery } from '../../core/auth/types.ts'
import type { FilterShapes } from '../../core/hooks/shapes.ts'
import { headers, json, listOf, membersOf, orNull, recordOf } from '../../core/hooks/value-checks.ts'
import { userQueryShape } from '../content/authors/query-shape.ts'
import { postQueryShape } from '../content/posts/query-shape.ts'
import { termQueryShape } from '../content/terms/query-shape.ts'
import type { Post, PostQuery, TermQuery } from '../content/types.ts'
import type { ContentSecurityPolicy } from './content-security-policy.ts'
import type { PageInsight } from './editor-bar/index.ts'
import type { OembedData } from './oembed.ts'
import type { PageContext, PageOutput } from './types.ts'

declare module '../../core/hooks/names.ts' {
  interface AsyncActions {
    /**
     * Fires after the request is matched to content, before the page is rendered and before the redirect to the
     * canonical URL. Also fires for feeds, `robots.txt`, and 404 pages.
     * @param page The matched page. `page.redirect(url, status)` and `page.respond(response)` end the request.
     * @example
     * ```ts
     * import { defineExtension } from 'pentad'
     *
     * export default defineExtension({
     *   id: 'old-shop',
     *   name: 'Old shop',
     *   version: '1.0.0',
     *   setup({ hooks }) {
     *     hooks.addAction('template_redirect', (page) => {
     *       if (page.path === '/shop/') page.redirect('/store/', 301)
     *     })
     *   },
     * })
     * ```
     * @since 0.1.0
     */
    template_redirect: [page: PageContext]
    /**
     * Fires at the end of `<head>`, after the default output: title, canonical URL, robots, feeds.
     * @param output `output.print(html)` adds to the head.
     * @param page The current page.
     * @since 0.1.0
     */
    wp_head: [output: PageOutput, page: PageContext]
    /**
     * Fires immediately after the opening `<body>` tag.
     * @param output `output.print(html)` adds to the start of the body.
     * @param page The current page.
     * @since 0.1.0
     */
    wp_body_open: [output: PageOutput, page: PageContext]
    /**
     * Fires immediately before the closing `</body>` tag.
     * @param output `output.print(html)` adds to the end of the body.
     * @param page The current page.
     * @since 0.1.0
     */
    wp_footer: [output: PageOutput, page: PageContext]
  }

  interface Filters {
    /**
     * Filters whether to guess the URL of a page that was not found.
     * @param guess Whether to guess it; default `true`.
     * @param page The 404 page.
     * @since 0.1.0
     */
    do_redirect_guess_404_permalink: [guess: boolean, page: PageContext]
    /**
     * Filters whether guessing the URL of a page that was not found requires an exact slug match, rather than a slug that starts with the requested one.
     * @param exact Whether the exact slug is required; default `false`.
     * @param page The 404 page.
     * @since 0.1.0
     */
    strict_redirect_guess_404_permalink: [exact: boolean, page: PageContext]
    /**
     * Filters the URL that a request is redirected to because it is not the canonical one.
     * @param target Path on this site or absolute http(s) URL; `null` serves the page without a redirect.
     * @param page The current page.
     * @since 0.1.0
     */
    redirect_canonical: [target: string | null, page: PageContext]
    /**
     * Filters the plain text of `<title>`. It is escaped afterward.
     * @param title The title, such as `About – My site`.
     * @param page The current page.
     * @since 0.1.0
     */
    document_title: [title: string, page: PageContext]
    /**
     * Filters the URL of `<link rel="canonical">`.
     * @param url Absolute URL, or `null` on pages without one (search results, 404).
     * @param page The current page.
     * @since 0.1.0
     */
    get_canonical_url: [url: string | null, page: PageContext]
    /**
     * Filters the directives of `<meta name="robots">`, such as `{ noindex: true, 'max-image-preview': 'large' }`;
     * `false` omits one.
     * @param robots Directives by name.
     * @param page The current page.
     * @since 0.1.0
     */
    wp_robots: [robots: Readonly<Record<string, boolean | string>>, page: PageContext]
    /**
     * Filters the oEmbed data of a post, which other sites use to embed it.
     * @param data The oEmbed fields.
     * @param post The post.
     * @param width Requested width in pixels.
     * @since 0.1.0
     */
    oembed_response_data: [data: OembedData, post: Post, width: number]
    /**
     * Filters the content security policy of a public page: allowed sources by directive. It already contains the
     * scripts that the theme and extensions print, inline ones by their hash. Sent as
     * `Content-Security-Policy-Report-Only` until the host setting `contentSecurityPolicy` is `enforce`.
     * @param policy Sources by directive; return a new object.
     * @param page The current page.
     * @example
     * ```ts
     * import { defineExtension } from 'pentad'
     *
     * export default defineExtension({
     *   id: 'analytics',
     *   name: 'Analytics',
     *   version: '1.0.0',
     *   setup({ hooks }) {
     *     hooks.addFilter('content_security_policy', (policy) => ({
     *       ...policy,
     *       'script-src': [...(policy['script-src'] ?? []), 'https://plausible.io'],
     *     }))
     *   },
     * })
     * ```
     * @since 0.1.0
     */
    content_security_policy: [policy: ContentSecurityPolicy, page: PageContext]
    /**
     * Filters the HTTP headers of a page or feed.
     * @param headers Values by name.
     * @param page The current page.
     * @since 0.1.0
     */
    wp_headers: [headers: Readonly<Record<string, string>>, page: PageContext]
    /**
     * Filters the CSS classes of `<body>`, named as in WordPress: `home`, `single`, `postid-7`, `logged-in`.
     * @param classes Class names; they are escaped afterward.
     * @param page The current page.
     * @since 0.1.0
     */
    body_class: [classes: readonly string[], page: PageContext]
    /**
     * Filters whether a logged-in user who can edit posts sees the toolbar on the site.
     * @param show Whether to show it.
     * @param page The current page; `page.user` is the user.
     * @since 1.0.0
     */
    show_admin_bar: [show: boolean, page: PageContext]
    /**
     * Filters whether the page has the sidebar.
     * @param isActive Whether the sidebar has blocks and is shown on pages of this kind.
     * @param index Always `sidebar-1`.
     * @param page The current page.
     * @since 1.0.0
     */
    is_active_sidebar: [isActive: boolean, index: string, page: PageContext]
    /**
     * Filters the CSS classes of a post in a list or on its own page: `post-7`, `type-post`, `category-travel`.
     * @param classes Class names; they are escaped afterward.
     * @param post The post.
     * @since 0.1.0
     */
    post_class: [classes: readonly string[], post: Post]
    /**
     * Filters the response headers of a file in the uploads folder. For HTML, scripts, and other files that a browser
     * would execute, the value is `null`, which results in a 404; an extension that generated such a file can return
     * headers for its path.
     * @param headers Values by name, or `null` to return 404.
     * @param path Decoded path relative to the uploads folder: `pwa/scripts/serviceworker.js`.
     * @since 0.1.0
     */
    upload_headers: [headers: Readonly<Record<string, string>> | null, path: string]
  }

  interface Filters {
    /**
     * Filters whether the default sitemaps, `/wp-sitemap.xml` and its sub-sitemaps, are enabled. An extension with its
     * own sitemaps turns them off.
     * @param isEnabled Whether search engines are allowed to index the site (option `blog_public`).
     * @since 0.1.0
     */
    wp_sitemaps_enabled: [isEnabled: boolean]
    /**
     * Filters the maximum number of URLs in one sitemap.
     * @param limit 2000 by default.
     * @param objectType `post`, `term`, or `user`.
     * @since 0.1.0
     */
    wp_sitemaps_max_urls: [limit: number, objectType: 'post' | 'term' | 'user']
    /**
     * Filters the post types that have sitemaps.
     * @param names The public post types, except `attachment`.
     * @since 0.1.0
     */
    wp_sitemaps_post_types: [names: readonly string[]]
    /**
     * Filters the taxonomies that have sitemaps.
     * @param names The public taxonomies.
     * @since 0.1.0
     */
    wp_sitemaps_taxonomies: [names: readonly string[]]
  }

  interface AsyncFilters {
    /**
     * Filters the query for the posts in the sitemaps of a post type.
     * @param query Arguments of `content.posts.query`; limit and offset are set afterward.
     * @param postType Name of the post type, such as `page`.
     * @since 0.1.0
     */
    wp_sitemaps_posts_query_args: [query: PostQuery, postType: string]
    /**
     * Filters the query for the terms in the sitemaps of a taxonomy.
     * @param query Arguments of `content.terms.query`; limit and offset are set afterward.
     * @param taxonomy Name of the taxonomy, such as `category`.
     * @since 0.1.0
     */
    wp_sitemaps_taxonomies_query_args: [query: TermQuery, taxonomy: string]
    /**
     * Filters the query for the users in the author sitemaps.
     * @param query Arguments of `auth.users.query`; limit and offset are set afterward.
     * @since 0.1.0
     */
    wp_sitemaps_users_query_args: [query: UserQuery]
    /**
     * Filters the query of a post list: home, archives, search, and their feeds. Not applied to single posts or pages.
     * @param query Arguments of `content.posts.query`; statuses are already limited to those that the user can read.
     * @param page The page; its posts are not loaded yet.
     * @since 0.1.0
     */
    pre_get_posts: [query: PostQuery, page: PageContext]
    /**
     * Filters the complete HTML of a public page before it is sent.
     * @param html The document, from doctype to `</html>`.
     * @param page The current page.
     * @since 0.1.0
     */
    page_html: [html: string, page: PageContext]
    /**
     * Filters the HTML of the sidebar.
     * @param html The rendered blocks.
     * @param page The current page.
     * @since 1.0.0
     */
    widget_block_content: [html: string, page: PageContext]
    /**
     * Filters the insights about the current page that administrators see in the toolbar. Applied only to pages that no cache stores.
     * @param insights Labels with values, as text.
     * @param page The current page.
     * @since 1.0.0
     */
    page_insights: [insights: readonly PageInsight[], page: PageContext]
    /**
     * Filters the text of `/robots.txt`.
     * @param text The default text.
     * @param isPublic Whether search engines are allowed to index the site (option `blog_public`).
     * @since 0.1.0
     */
    robots_txt: [text: string, isPublic: boolean]
    /**
     * Filters the HTML of a post in a feed, after `the_content`.
     * @param content The HTML.
     * @param feedType Always `rss2`.
     * @param post The post.
     * @since 0.1.0
     */
    the_content_feed: [content: string, feedType: string, post: Post]
  }
}

/** Valid results of these filters, checked at run time. */
export const filterShapes = {
  do_redirect_guess_404_permalink: 'boolean',
  strict_redirect_guess_404_permalink: 'boolean',
  redirect_canonical: ['string', 'null'],
  document_title: 'string',
  get_canonical_url: ['string', 'null'],
  wp_robots: recordOf('boolean', 'string'),
  oembed_response_data: json('object'),
  content_security_policy: recordOf(listOf('string')),
  wp_headers: headers,
  body_class: listOf('string'),
  is_active_sidebar: 'boolean',
  post_class: listOf('string'),
  upload_headers: orNull(headers),
  wp_sitemaps_enabled: 'boolean',
  wp_sitemaps_max_urls: 'number',
  wp_sitemaps_post_types: listOf('string'),
  wp_sitemaps_taxonomies: listOf('string'),
  wp_sitemaps_posts_query_args: postQueryShape,
  wp_sitemaps_taxonomies_query_args: termQueryShape,
  wp_sitemaps_users_query_args: userQueryShape,
  pre_get_posts: postQueryShape,
  page_html: 'string',
  widget_block_content: 'string',
  page_insights: listOf(membersOf<PageInsight>({}, { label: 'string', value: 'string' })),
  show_admin_bar: 'boolean',
  robots_txt: 'string',
  the_content_feed: 'string',
} satisfies FilterShapes
