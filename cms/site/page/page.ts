import { deprecate } from 'node:util'
import type Koa from 'koa'
import type { User } from '../../../core/auth/types.ts'
import { createScriptNonce } from '../content-security-policy.ts'
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

const readAnswered = deprecate(
  ({ responded }: Page) => responded,
  'page.answered was renamed to page.responded.',
  'PENTAD_PAGE_ANSWERED',
)

/** A page of which only the request is known. */
export function createPage(context: Koa.Context, user: User | null, origin: string): Page {
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
    totalPages: 0,
    total: 0,
    feed: false,
    preview: false,
    locked: false,
    tags,
    scriptNonce: createScriptNonce(),
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
    respond(response) {
      if (response.tags) {
        tags.clear()
        page.addTags(...response.tags)
        change('status', response.status ?? 200)
      }
      change('response', response)
      change('responded', true)
    },
  }
  // Also after `sealPage`.
  const change = <Name extends Responded>(name: Name, value: Page[Name]) => Object.defineProperty(page, name, { value })
  return page
}

/** Members that `respond` sets. */
const RESPONDED = ['status', 'response', 'responded'] as const
type Responded = (typeof RESPONDED)[number]

/** Makes the page read-only once it is found: all callbacks share it, and assignments of one would break the others. */
export function sealPage(page: Page): void {
  Object.freeze(page.posts)
  for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(page))) {
    if (get) continue
    Object.defineProperty(page, name, { writable: false, configurable: RESPONDED.some((set) => set === name) })
  }
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
