import { currentRequest, type RequestContext } from '../../core/http/request-context.ts'
import type { Post } from '../content/types.ts'
import type { PageContext } from './types.ts'

/** The page of a request. */
interface CurrentPage {
  readonly page: PageContext
  /** The post that is being rendered. */
  post: Post | undefined
}

/** Separate from the request context: the host also works without a public site. */
const pages = new WeakMap<RequestContext, CurrentPage>()

function current(): CurrentPage | undefined {
  const request = currentRequest()
  return request && pages.get(request)
}

/** Sets the page of the request, once it is found. */
export function setCurrentPage(page: PageContext): void {
  const request = currentRequest()
  if (request && pages.get(request)?.page !== page) pages.set(request, { page, post: undefined })
}

/** The current page; `undefined` before it is found, in REST and outside of requests. */
export function currentPage(): PageContext | undefined {
  return current()?.page
}

/** The post being rendered; `undefined` outside of the loop. */
export function postInLoop(): Post | undefined {
  return current()?.post
}

/** Renders one of the page's own posts: WordPress's loop. In sequence. */
export async function inLoop<Result>(post: Post, work: () => Promise<Result>): Promise<Result> {
  const shown = current()
  if (!shown) return work()
  shown.post = post
  try {
    return await work()
  } finally {
    shown.post = undefined
  }
}
