import type { UserQuery } from '../../core/auth/types.ts'
import { headers, json, listOf, orNull, recordOf } from '../../core/hooks/contents.ts'
import type { FilterShapes } from '../../core/hooks/shapes.ts'
import { userQueryShape } from '../content/authors/query-shape.ts'
import { postQueryShape } from '../content/posts/query-shape.ts'
import { termQueryShape } from '../content/terms/query-shape.ts'
import type { Post, PostQuery, TermQuery } from '../content/types.ts'
import type { ContentSecurityPolicy } from './content-security-policy.ts'
import type { OembedData } from './oembed.ts'
import type { PageContext, PageOutput } from './types.ts'

declare module '../../core/hooks/names.ts' {
  interface AsyncActions {
    /**
     * Fires when the site knows what a request is about, before anything is rendered and before it redirects to the
     * canonical URL. Also fires for feeds, `robots.txt` and pages that were not found.
     * @param page what was found; `page.redirect(url, status)` and `page.respond(answer)` end it here
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
     * Fires at the end of `<head>`, after what core prints: title, canonical URL, robots, feeds.
     * @param output `output.print(html)` adds to the head
     * @param page the page shown
     * @since 0.1.0
     */
    wp_head: [output: PageOutput, page: PageContext]
    /**
     * Fires right after `<body>` opens.
     * @param output `output.print(html)` adds to the start of the body
     * @param page the page shown
     * @since 0.1.0
     */
    wp_body_open: [output: PageOutput, page: PageContext]
    /**
     * Fires right before `</body>`.
     * @param output `output.print(html)` adds to the end of the body
     * @param page the page shown
     * @since 0.1.0
     */
    wp_footer: [output: PageOutput, page: PageContext]
  }

  interface Filters {
    /**
     * Whether a page that was not found is looked for under a similar address.
     * @param guesses `true`
     * @param page the page that was not found
     * @since 0.1.0
     */
    do_redirect_guess_404_permalink: [guesses: boolean, page: PageContext]
    /**
     * Whether only a post with just the slug of the address is meant, and none whose slug only begins with it.
     * @param exact `false`
     * @param page the page that was not found
     * @since 0.1.0
     */
    strict_redirect_guess_404_permalink: [exact: boolean, page: PageContext]
    /**
     * Where a request is sent to arrive at the one address of what it found.
     * @param target path of this site or an absolute http(s) URL; `null` answers under the address that was asked for
     * @param page the page that was found
     * @since 0.1.0
     */
    redirect_canonical: [target: string | null, page: PageContext]
    /**
     * The text of `<title>`, plain: it is escaped afterwards.
     * @param title for example `About – My site`
     * @param page the page shown
     * @since 0.1.0
     */
    document_title: [title: string, page: PageContext]
    /**
     * The address for `<link rel="canonical">`; `null` prints none.
     * @param url absolute, or `null` on pages that have no canonical address (search, not found)
     * @param page the page shown
     * @since 0.1.0
     */
    get_canonical_url: [url: string | null, page: PageContext]
    /**
     * Directives of `<meta name="robots">`: `{ noindex: true, 'max-image-preview': 'large' }`; `false` leaves one out.
     * @param robots directives by name
     * @param page the page shown
     * @since 0.1.0
     */
    wp_robots: [robots: Readonly<Record<string, boolean | string>>, page: PageContext]
    /**
     * What other sites are told about a post that they show.
     * @param data the fields of oEmbed
     * @param post the post
     * @param width in pixels
     * @since 0.1.0
     */
    oembed_response_data: [data: OembedData, post: Post, width: number]
    /**
     * Which sources a public page may load scripts and other things from, by directive of the content security policy.
     * Scripts that the theme and extensions print are in it already, inline ones by their hash. Sent as
     * `Content-Security-Policy-Report-Only` until the host's setting `contentSecurityPolicy` says `enforce`.
     * @param policy sources by directive; answer a new object
     * @param page the page shown
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
     * HTTP headers of a page or feed.
     * @param headers values by name
     * @param page the page shown
     * @since 0.1.0
     */
    wp_headers: [headers: Readonly<Record<string, string>>, page: PageContext]
    /**
     * CSS classes of `<body>`, WordPress's names: `home`, `single`, `postid-7`, `logged-in`.
     * @param classes the names; they are escaped afterwards
     * @param page the page shown
     * @since 0.1.0
     */
    body_class: [classes: readonly string[], page: PageContext]
    /**
     * CSS classes of one post in a list or on its own page: `post-7`, `type-post`, `category-travel`.
     * @param classes the names; they are escaped afterwards
     * @param post the post
     * @since 0.1.0
     */
    post_class: [classes: readonly string[], post: Post]
    /**
     * How a file of the uploads folder is answered. Pages, scripts and other things a browser would run come as
     * `null`, which is a 404; an extension that wrote such a file itself answers headers for that one path.
     * @param headers by name, or `null` to refuse
     * @param path below the uploads folder, decoded: `pwa/scripts/serviceworker.js`
     * @since 0.1.0
     */
    upload_headers: [headers: Readonly<Record<string, string>> | null, path: string]
  }

  interface Filters {
    /**
     * Whether the site has sitemaps, `/wp-sitemap.xml` and its maps; an extension with its own switches them off.
     * @param isEnabled whether the site wants to be found by search engines (option `blog_public`)
     * @since 0.1.0
     */
    wp_sitemaps_enabled: [isEnabled: boolean]
    /**
     * How many pages one sitemap lists.
     * @param most 2000
     * @param objectType `post`, `term` or `user`
     * @since 0.1.0
     */
    wp_sitemaps_max_urls: [most: number, objectType: 'post' | 'term' | 'user']
    /**
     * Types of posts that have sitemaps.
     * @param names the public ones without attachments
     * @since 0.1.0
     */
    wp_sitemaps_post_types: [names: readonly string[]]
    /**
     * Taxonomies that have sitemaps.
     * @param names the public ones
     * @since 0.1.0
     */
    wp_sitemaps_taxonomies: [names: readonly string[]]
  }

  interface AsyncFilters {
    /**
     * Which posts are in the sitemaps of a type.
     * @param query what is asked of `content.posts.query`; its limit and offset are set afterwards
     * @param postType `post`, `page`, …
     * @since 0.1.0
     */
    wp_sitemaps_posts_query_args: [query: PostQuery, postType: string]
    /**
     * Which terms are in the sitemaps of a taxonomy.
     * @param query what is asked of `content.terms.query`; its limit and offset are set afterwards
     * @param taxonomy `category`, `post_tag`, …
     * @since 0.1.0
     */
    wp_sitemaps_taxonomies_query_args: [query: TermQuery, taxonomy: string]
    /**
     * Which users are in the sitemaps of authors.
     * @param query what is asked of `auth.users.query`; its limit and offset are set afterwards
     * @since 0.1.0
     */
    wp_sitemaps_users_query_args: [query: UserQuery]
    /**
     * Which posts a list shows: home, archives, search and their feeds. Not fired for a single post or page.
     * @param query what is asked of `content.posts.query`; statuses are already limited to what the user may read
     * @param page what the request is about; its posts are not known yet
     * @since 0.1.0
     */
    pre_get_posts: [query: PostQuery, page: PageContext]
    /**
     * The whole HTML of a public page before it is sent.
     * @param html from doctype to `</html>`
     * @param page the page shown
     * @since 0.1.0
     */
    page_html: [html: string, page: PageContext]
    /**
     * The text of `/robots.txt`.
     * @param text what core says
     * @param isPublic whether the site wants to be found by search engines (option `blog_public`)
     * @since 0.1.0
     */
    robots_txt: [text: string, isPublic: boolean]
    /**
     * The HTML of a post as a feed carries it, after `the_content`.
     * @param content the HTML
     * @param feedType `rss2`
     * @param post the post
     * @since 0.1.0
     */
    the_content_feed: [content: string, feedType: string, post: Post]
  }
}

/** What these filters may return at run time. */
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
  robots_txt: 'string',
  the_content_feed: 'string',
} satisfies FilterShapes
