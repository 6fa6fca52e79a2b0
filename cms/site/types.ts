import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { User } from '../../core/auth/types.ts'
import type { ArchiveDate } from '../content/permalinks/types.ts'
import type { Post, PostType, Term } from '../content/types.ts'

export type { ArchiveDate }

/** What a page is about; decides which template of the theme renders it. */
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

/** What of the request a page may depend on. */
export interface PageRequest {
  readonly method: string
  /** As it was asked for, percent-encoded. */
  readonly path: string
  readonly query: URLSearchParams
  /**
   * Lower-case names. Reading one that says something about the visitor, as `cookie`, `user-agent` or `accept-language`,
   * marks the answer as varying by user: no cache stores it.
   */
  readonly headers: Readonly<IncomingHttpHeaders>
  /** The client's address. Reading it marks the answer as varying by user. */
  readonly address: string
  /** The answer's `X-Request-Id`. */
  readonly id: string
}

/** An answer that an extension gives in the page's stead. */
export interface PageAnswer {
  /** Default 200. */
  readonly status?: number | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** A string is HTML unless a `Content-Type` says otherwise. */
  readonly body?: string | Buffer | Readable | undefined
  /**
   * All that the answer depends on, for caches: they may keep it until one of these is purged, and `wp_headers` sees its
   * headers. Without them no cache can know when it changes, so none keeps it for long.
   */
  readonly tags?: readonly string[] | undefined
}

/** One public page on its way to the visitor: what the hooks of the site get. */
export interface PageContext {
  readonly request: PageRequest
  /**
   * Who is signed in; `null` for a visitor. What is made for a user no cache stores, and caches know users by their
   * session, so asking this leaves the pages of visitors in the cache; `isUserLoggedIn()` does not.
   */
  readonly user: User | null
  readonly kind: PageKind
  readonly status: number
  /** Canonical absolute URL of what was found; of a page that was not found, the URL asked for. */
  readonly url: string
  /** Its path, percent-encoded in lower case as WordPress does. */
  readonly path: string
  /** Plain text, without the site's name. */
  readonly title: string
  /** The post, page or attachment shown. */
  readonly post: Post | undefined
  /** The category, tag or other term whose archive is shown. */
  readonly term: Term | undefined
  /** The type of posts whose archive is shown. */
  readonly postType: PostType | undefined
  /** The author whose archive is shown. */
  readonly author: User | undefined
  readonly date: ArchiveDate | undefined
  /** What was searched for. */
  readonly search: string | undefined
  /** Posts on the page, in order; of a single page the one post. */
  readonly posts: readonly Post[]
  /** From 1. */
  readonly pageNumber: number
  readonly totalPages: number
  /** How many posts there are on all pages together. */
  readonly total: number
  /** An RSS feed is asked for, not a page. */
  readonly feed: boolean
  /** An editor looks at something that is not published. */
  readonly preview: boolean
  /** The post is protected by a password that the visitor has not given. */
  readonly locked: boolean
  /**
   * What the page shows or depends on, for caches: `post-7`, `term-3`, `author-1` for what stands on it, `home`,
   * `archive-term-3` and the like for the lists that it is, `menu-0` for the menu.
   */
  readonly tags: ReadonlySet<string>
  /**
   * For `<script nonce="…">` that a template, or a callback of `page_html`, writes itself, so that the content security
   * policy allows it. What `wp_head`, `wp_body_open` and `wp_footer` print has it already. It never reaches the visitor:
   * the finished page is sent with hashes instead.
   */
  readonly scriptNonce: string
  /** Fires when the client leaves. */
  readonly signal: AbortSignal
  /** Whether `redirect` or `respond` was called. */
  readonly answered: boolean
  /**
   * Sends the visitor elsewhere instead of showing the page; for callbacks of `template_redirect`.
   * `url` is a path of this site or an absolute http(s) URL; status 301, 302 (default), 303, 307 or 308.
   * @throws Error if either is not.
   */
  redirect(url: string, status?: number): void
  /**
   * Says that the page also depends on something else: whoever changes that purges the tag.
   * @param tags letters, digits, `-` and `_`, at most 60 of them: `product-7`
   * @throws Error for any other
   */
  addTags(...tags: string[]): void
  /** Answers in the page's stead; for callbacks of `template_redirect`. */
  respond(answer: PageAnswer): void
}

/** Where callbacks of `wp_head`, `wp_body_open` and `wp_footer` write. */
export interface PageOutput {
  /** Adds HTML as it is: escape what is not yours. */
  print(html: string): void
}
