import { hash } from 'node:crypto'
import type Koa from 'koa'
import type { PageAnswer, PageContext } from './types.ts'

/**
 * How long others may keep a page. A public one is asked for anew each time (the page cache of the speed service
 * knows better when it changes) and answered 304 by its `ETag`; what depends on who asks is kept nowhere.
 */
export function cacheControl(page: PageContext): string {
  const isPersonal =
    page.user !== null ||
    page.preview ||
    page.request.query.has('moderation-hash') ||
    (page.post !== undefined && page.post.password !== '')
  return isPersonal ? 'private, no-store' : 'public, max-age=0, must-revalidate'
}

/** Sends a text with a weak `ETag`, or 304 if the client has it. */
export function sendText(
  context: Koa.Context,
  status: number,
  headers: Readonly<Record<string, string>>,
  text: string,
) {
  // Encoded once, for its hash, its length and the socket.
  const body = Buffer.from(text, 'utf8')
  context.status = status
  context.set({ ...headers })
  if (status === 200 && !headers['Cache-Control']?.includes('no-store')) {
    context.set('ETag', `W/"${hash('sha1', body, 'base64url')}"`)
    if (context.fresh) {
      context.status = 304
      return
    }
  }
  context.body = body
}

/** Sends what an extension answered in a page's stead. */
export function sendAnswer(context: Koa.Context, { status = 200, headers = {}, body = '' }: PageAnswer): void {
  context.status = status
  const named = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type')
  if (!named && typeof body === 'string') context.type = 'html'
  context.body = body
  context.set({ ...headers })
}

/**
 * The answer of an extension as caches may have it: none keeps what was answered with a cookie, which is one visitor's,
 * nor, unless the extension says so, what somebody got who is signed in.
 */
export function cautious(answer: PageAnswer, { user }: Pick<PageContext, 'user'>): PageAnswer {
  const entries = Object.entries(answer.headers ?? {})
  const names = new Set(entries.map(([name]) => name.toLowerCase()))
  const isPersonal = names.has('set-cookie') || (user !== null && !names.has('cache-control'))
  if (!isPersonal) return answer
  const others = entries.filter(([name]) => name.toLowerCase() !== 'cache-control')
  return { ...answer, headers: { ...Object.fromEntries(others), 'Cache-Control': 'private, no-store' } }
}
