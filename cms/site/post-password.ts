import { createHmac, timingSafeEqual } from 'node:crypto'
import type Koa from 'koa'
import { readCookie } from '../../core/http/cookie.ts'
import { queryOf } from '../../core/http/request.ts'
import type { PasswordGuesses } from '../content/password-guesses.ts'
import { samePath } from '../content/permalinks/path.ts'
import type { Post } from '../content/types.ts'
import { localTarget, readForm } from '../http/request-form.ts'
import type { PageContext } from './types.ts'

const COOKIE = 'wp-postpass'
/** Ten days, as in WordPress. */
const LIFETIME = 10 * 24 * 60 * 60

/** Passwords of protected posts: the form, and the cookie that remembers a password. */
export interface PostPasswords {
  /** Whether the visitor still has to enter the password, by the cookie of the request. */
  isLocked(post: Post, cookie: string | undefined): boolean
  /** Handles the form: `POST /wp-login.php?action=postpass`; other requests pass through. */
  readonly handleForm: Koa.Middleware
}

/**
 * Whether the visitor has just entered a wrong password: they come from the form on this page, have a cookie, and the
 * post is still locked (as in WordPress). A cookie alone may belong to another post.
 */
export function wasPasswordRejected({ locked, request, path, url }: PageContext): boolean {
  if (!locked || readCookie(request.headers.cookie, COOKIE) === undefined) return false
  const [from = ''] = localTarget(request.headers.referer, url, '').split('?')
  return samePath(from, path)
}

/**
 * The cookie contains a keyed hash of the password, which neither reveals it nor can be forged. As in WordPress, it
 * unlocks all posts with that password.
 * @param key secret of this site, 32 bytes
 */
export function createPostPasswords(
  key: Buffer,
  options: { secure: boolean; origin: string; guesses: PasswordGuesses },
): PostPasswords {
  const hash = (password: string) => createHmac('sha256', key).update(password).digest('base64url')

  return {
    isLocked(post, cookie) {
      if (post.password === '') return false
      const given = Buffer.from(readCookie(cookie, COOKIE) ?? '')
      const wanted = Buffer.from(hash(post.password))
      return given.length !== wanted.length || !timingSafeEqual(given, wanted)
    },
    async handleForm(context, next) {
      if (queryOf(context).get('action') !== 'postpass') return next()
      await options.guesses.count(context.state.clientAddress)
      const form = await readForm(context.req)
      const password = form.get('post_password') ?? ''
      const target = localTarget(form.get('redirect_to') || context.get('referer'), options.origin, '/')
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
}
