import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type Koa from 'koa'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import type { Post } from '../content/types.ts'
import { RestError } from '../errors.ts'
import { queryOf } from '../request.ts'
import { isRedirectTarget } from './page/page.ts'

const COOKIE = 'wp-postpass'
/** WordPress's: ten days. */
const LIFETIME = 10 * 24 * 60 * 60
/** Attempts of one address within the time, in seconds, after which it has to wait. */
const ATTEMPTS = 20
const ATTEMPTS_TIME = 300
/** Bytes of a form. */
const FORM_LIMIT = 8192

/** Passwords of protected posts: the form's target, and the cookie that remembers what was given. */
export interface PostPasswords {
  /** Whether the visitor still has to give the post's password; the cookie header of the request decides. */
  isLocked(post: Post, cookie: string | undefined): boolean
  /** Answers the form: `POST /wp-login.php?action=postpass`; everything else goes on. */
  readonly middleware: Koa.Middleware
}

/**
 * The cookie holds a keyed hash of the password that was given, so that it neither shows the password nor can be made
 * without it. As in WordPress it opens every post with that password, and a wrong one simply opens none.
 * @param key secret of this site, 32 bytes
 */
export function createPostPasswords(key: Buffer, options: { secure: boolean; origin: string }): PostPasswords {
  const hash = (password: string) => createHmac('sha256', key).update(password).digest('base64url')
  const limiter = new RateLimiterMemory({ points: ATTEMPTS, duration: ATTEMPTS_TIME })

  return {
    isLocked(post, cookie) {
      if (post.password === '') return false
      const given = Buffer.from(readCookie(cookie) ?? '')
      const wanted = Buffer.from(hash(post.password))
      return given.length !== wanted.length || !timingSafeEqual(given, wanted)
    },
    async middleware(context, next) {
      const isForm =
        context.method === 'POST' && context.path === '/wp-login.php' && queryOf(context).get('action') === 'postpass'
      if (!isForm) return next()
      await allow(context.state.clientAddress)
      const form = await readForm(context.req)
      const password = form.get('post_password') ?? ''
      const target = localPath(form.get('redirect_to') || context.get('referer'), options.origin)
      const secure = options.secure ? '; Secure' : ''
      context.append(
        'Set-Cookie',
        `${COOKIE}=${hash(password)}; Path=/; Max-Age=${LIFETIME}; HttpOnly; SameSite=Lax${secure}`,
      )
      context.set('Cache-Control', 'no-store')
      context.status = 303
      context.set('Location', target)
      context.body = ''
    },
  }

  async function allow(address: string): Promise<void> {
    try {
      await limiter.consume(address)
    } catch (refusal) {
      if (refusal instanceof Error) throw refusal
      const message = 'Too many attempts. Please wait a few minutes.'
      throw new RestError('too_many_attempts', message, { status: 429 }, { 'Retry-After': String(ATTEMPTS_TIME) })
    }
  }
}

/** Fields of a form post; the form is small, so a large body is not one. */
async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > FORM_LIMIT) throw new RestError('rest_request_too_large', 'The form is too large.', { status: 413 })
    chunks.push(chunk)
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'))
}

function readCookie(header: string | undefined): string | undefined {
  return header
    ?.split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${COOKIE}=`))
    ?.slice(COOKIE.length + 1)
}

/** The path of a URL of this site; `/` for any other. */
function localPath(url: string, origin: string): string {
  const path = url.startsWith(`${origin}/`) ? url.slice(origin.length) : url
  return path.startsWith('/') && isRedirectTarget(path) ? path : '/'
}
