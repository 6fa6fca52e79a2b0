import { currentRequest, type RequestContext } from '../../core/http/request-context.ts'
import type { Post } from '../content/types.ts'
import type { PageContext } from './types.ts'

/** The page that a request shows. */
interface CurrentPage {
  readonly page: PageContext
  /** Which of its posts is being rendered. */
  post: Post | undefined
}

/** Not part of the context itself: the host can answer requests without a site. */
const pages = new WeakMap<RequestContext, CurrentPage>()

function current(): CurrentPage | undefined {
  const request = currentRequest()
  return request && pages.get(request)
}

/** Says which page the request shows, once it is known what that page is about. */
export function setCurrentPage(page: PageContext): void {
  const request = currentRequest()
  if (request && pages.get(request)?.page !== page) pages.set(request, { page, post: undefined })
}

/** The page that is shown; `undefined` before it is found, in REST and outside of requests. */
export function currentPage(): PageContext | undefined {
  return current()?.page
}

/** The post of the page that is being rendered; `undefined` outside of the list of its posts. */
export function postInLoop(): Post | undefined {
  return current()?.post
}

/** Renders one of the page's own posts: WordPress's loop. One after another. */
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
