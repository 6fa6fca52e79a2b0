import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { User } from '../../core/auth/types.ts'
import type { ArchiveDate } from '../content/permalinks/types.ts'
import type { PostPreview } from '../content/post-preview.ts'
import type { Post, PostType, Term } from '../content/types.ts'

export type { ArchiveDate }

/** Kind of a page; decides which template renders it. */
export type PageKind =
  | 'home'
  | 'front-page'
  | 'single'
  | 'page'
  | 'attachment'
  | 'category'
  | 'tag'
  | 'taxonomy'
  | 'post-type'
  | 'author'
  | 'date'
  | 'search'
  | 'comments'
  | 'robots'
  | 'sitemap'
  | '404'

/** The parts of the request that a page may depend on. */
export interface PageRequest {
  readonly method: string
  /** Requested path, percent-encoded. */
  readonly path: string
  readonly query: URLSearchParams
  /**
   * Lowercase names. Reading a header about the visitor, such as `cookie`, `user-agent` or `accept-language`, marks
   * the response as varying by user, which makes it uncacheable.
   */
  readonly headers: Readonly<IncomingHttpHeaders>
  /** Client address. Reading it marks the response as varying by user. */
  readonly address: string
  /** `X-Request-Id` of the response. */
  readonly id: string
}

/** Response of an extension instead of a page. */
export interface PageResponse {
  /** Defaults to 200. */
  readonly status?: number | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** A string is HTML unless `Content-Type` says otherwise. */
  readonly body?: string | Buffer | Readable | undefined
  /**
   * Cache tags: the response may be cached until one is purged, and `wp_headers` filters its headers. Without tags it
   * is not cached for long.
   */
  readonly tags?: readonly string[] | undefined
}

/** @deprecated Use `PageResponse`. */
export type PageAnswer = PageResponse

/** A public page being served, as hooks see it. */
export interface PageContext {
  readonly request: PageRequest
  /**
   * The logged-in user; `null` for a visitor. Pages for users are never cached, and caches recognize users by their
   * session, so reading this keeps pages of visitors cacheable; `isUserLoggedIn()` does not.
   */
  readonly user: User | null
  readonly kind: PageKind
  readonly status: number
  /** Canonical absolute URL; on a 404 page the requested URL. */
  readonly url: string
  /** Path of that URL, percent-encoded in lower case as in WordPress. */
  readonly path: string
  /** Plain text without the site name. */
  readonly title: string
  /** The post, page or attachment shown. */
  readonly post: Post | undefined
  /** The category, tag or other term of an archive. */
  readonly term: Term | undefined
  /** The post type of an archive. */
  readonly postType: PostType | undefined
  /** The author of an archive. */
  readonly author: User | undefined
  readonly date: ArchiveDate | undefined
  /** Search phrase. */
  readonly search: string | undefined
  /** Posts on the page in order; on a single page the one post. */
  readonly posts: readonly Post[]
  /** From 1. */
  readonly pageNumber: number
  /** `Page 2` in the language of the site; empty on the first page. */
  readonly pageLabel: string
  readonly totalPages: number
  /** Total number of posts on all pages. */
  readonly total: number
  /** The request is for an RSS feed. */
  readonly feed: boolean
  /** A preview of unpublished content. */
  readonly preview: boolean
  /** What a preview of unsaved changes shows; `post` is the same as the page's. */
  readonly unsaved: PostPreview | undefined
  /** The post requires a password that the visitor has not entered. */
  readonly locked: boolean
  /**
   * Cache tags: `post-7`, `term-3`, `author-1` for items on the page, `home`, `archive-term-3` and so on for lists,
   * `menu-0` for the menu.
   */
  readonly tags: ReadonlySet<string>
  /**
   * For `<script nonce="…">` in templates and callbacks of `page_html`, to allow the script in the content security
   * policy. Output of `wp_head`, `wp_body_open` and `wp_footer` has it already. It is the same for all pages and never sent: the
   * finished page uses hashes instead.
   */
  readonly scriptNonce: string
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal
  /** Whether `redirect` or `respond` was called. */
  readonly responded: boolean
  /** @deprecated Use `responded`. */
  readonly answered?: boolean
  /**
   * Redirects instead of showing the page; for callbacks of `template_redirect`. `url` is a path on this site or an
   * absolute http(s) URL; status 301, 302 (default), 303, 307 or 308. @throws Error if either is invalid
   */
  redirect(url: string, status?: number): void
  /**
   * Adds cache tags, to be purged when the data changes. @param tags letters, digits, `-` and `_`, at most 60
   * characters: `product-7` @throws Error for an invalid tag
   */
  addTags(...tags: string[]): void
  /** Responds instead of the page; for callbacks of `template_redirect`. */
  respond(response: PageResponse): void
}

/** Output of callbacks of `wp_head`, `wp_body_open` and `wp_footer`. */
export interface PageOutput {
  /** Adds HTML; escape untrusted values. */
  print(html: string): void
}
