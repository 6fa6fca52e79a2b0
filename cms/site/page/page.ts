import { deprecate } from 'node:util'
import type Koa from 'koa'
import type { User } from '../../../core/auth/types.ts'
import { findUnsendable, RestResponse } from '../../../core/rest/response.ts'
import { asciiUrl } from '../text.ts'
import type { PageContext, PageResponse } from '../types.ts'
import { createPageRequest } from './request.ts'

/** The mutable page during routing and rendering; hooks see `PageContext`. */
export type Page = { -readonly [Key in keyof PageContext]: PageContext[Key] } & {
  /** Response from a callback of `template_redirect`. */
  response: PageResponse | undefined
  /** Whether the URL is a list, even if the page is past its end and thus not found. */
  isList: boolean
}

/** Tags are in headers, separated by spaces or commas. */
const TAG = /^[\w-]{1,60}$/
const REDIRECTS = new Set([301, 302, 303, 307, 308])

const READ_ONLY: ProxyHandler<PageContext> = {
  set: () => false,
  defineProperty: () => false,
  deleteProperty: () => false,
  setPrototypeOf: () => false,
  preventExtensions: () => false,
}

const readAnswered = deprecate(
  ({ responded }: Page) => responded,
  'page.answered was renamed to page.responded.',
  'PENTAD_PAGE_ANSWERED',
)

/** A page of which only the request is known. */
export function createPage(
  context: Koa.Context,
  { user, origin, scriptNonce }: { user: User | null; origin: string; scriptNonce: string },
): Page {
  const tags = new Set<string>()
  const page: Page = {
    request: createPageRequest(context),
    user,
    kind: '404',
    status: 404,
    url: origin + singleSlash(context.path),
    path: singleSlash(context.path),
    title: '',
    post: undefined,
    term: undefined,
    postType: undefined,
    author: undefined,
    date: undefined,
    search: undefined,
    posts: [],
    pageNumber: 1,
    pageLabel: '',
    totalPages: 0,
    total: 0,
    feed: false,
    preview: false,
    unsaved: undefined,
    locked: false,
    get tags() {
      return new Set(tags)
    },
    scriptNonce,
    signal: context.state.signal,
    responded: false,
    get answered() {
      return readAnswered(page)
    },
    response: undefined,
    isList: false,
    redirect(url, status = 302) {
      if (!isRedirectTarget(url)) throw new Error(`"${url}" is neither a path on this site nor an http(s) URL.`)
      if (!REDIRECTS.has(status)) throw new Error(`${status} is not a redirect status.`)
      page.respond({ status, headers: { Location: asciiUrl(url) }, body: '' })
    },
    addTags(...names) {
      for (const name of names) {
        if (!TAG.test(name)) throw new Error(`"${name}" is not a valid tag: use at most 60 letters, digits, - and _.`)
        tags.add(name)
      }
    },
    respond({ status = 200, headers = {}, body = '', tags: given }) {
      const fault = findUnsendable(new RestResponse(body, { status, headers }))
      if (fault !== undefined) throw new TypeError(`page.respond received ${fault}.`)
      if (given) {
        tags.clear()
        page.addTags(...given)
        page.status = status
      }
      page.response = { status, headers: { ...headers }, body, tags: given }
      page.responded = true
    },
  }
  return page
}

const views = new WeakMap<Page, PageContext>()

/** The page for hooks, which share it: no callback can change it for the others. Always the same object. */
export function viewOf(page: Page): PageContext {
  const known = views.get(page)
  if (known) return known
  const view = new Proxy<PageContext>(page, READ_ONLY)
  views.set(page, view)
  return view
}

/** Browsers resolve `//evil.example` as another host. */
export function singleSlash(path: string): string {
  return `/${path.replace(/^[/\\]+/, '')}`
}

/**
 * A root-relative path on this site, or an absolute http(s) URL, without control characters, `//host` or backslashes.
 */
export function isRedirectTarget(url: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (/[\u0000-\u0020\u007f]/.test(url)) return false
  if (/^\/(?![/\\])/.test(url)) return true
  return /^https?:\/\//i.test(url) && URL.canParse(url)
}
