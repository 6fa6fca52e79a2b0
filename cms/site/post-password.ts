import { createHmac, timingSafeEqual } from 'node:crypto'
import type Koa from 'koa'
import { readCookie } from '../../core/http/cookie.ts'
import { queryOf } from '../../core/http/request.ts'
import { localTarget, readForm } from '../../core/http/request-form.ts'
import type { PasswordGuesses } from '../content/password-guesses.ts'
import { samePath } from '../content/permalinks/path.ts'
import type { Post } from '../content/types.ts'
import type { PageContext } from './types.ts'

const COOKIE = 'wp-postpass'
/** WordPress's: ten days. */
const LIFETIME = 10 * 24 * 60 * 60

/** Passwords of protected posts: the form's target, and the cookie that remembers what was given. */
export interface PostPasswords {
  /** Whether the visitor still has to give the post's password; the cookie header of the request decides. */
  isLocked(post: Post, cookie: string | undefined): boolean
  /** Answers the form: `POST /wp-login.php?action=postpass`; everything else goes on. */
  readonly answerForm: Koa.Middleware
}

/**
 * Whether the visitor has just given a wrong password: they come from the form on this page, have a cookie, and it is
 * still locked (as WordPress tells it). A cookie alone may be from another post.
 */
export function wasPasswordRefused({ locked, request, path, url }: PageContext): boolean {
  if (!locked || readCookie(request.headers.cookie, COOKIE) === undefined) return false
  const [from = ''] = localTarget(request.headers.referer, url, '').split('?')
  return samePath(from, path)
}

/**
 * The cookie holds a keyed hash of the password that was given, so that it neither shows the password nor can be made
 * without it. As in WordPress it opens every post with that password, and a wrong one simply opens none.
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
    async answerForm(context, next) {
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
