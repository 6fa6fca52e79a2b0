import type Koa from 'koa'
import type { Auth, SignedIn } from '../../core/auth/types.ts'
import { CONTENT_SECURITY_POLICY } from './pages.ts'

/** @param policy the content security policy; by default, one without scripts */
export function respond(context: Koa.Context, status: number, html: string, policy = CONTENT_SECURITY_POLICY): void {
  context.status = status
  context.type = 'html'
  setHeaders(context)
  context.set('Content-Security-Policy', policy)
  context.body = html
}

export function redirect(context: Koa.Context, target: string): void {
  setHeaders(context)
  context.status = 302
  context.set('Location', target)
  context.body = ''
}

/** Logs in the browser: sets the cookie of the session, and that by which the browser is known from then on. */
export function setLoginCookies(
  context: Koa.Context,
  auth: Pick<Auth, 'sessionCookie' | 'deviceCookie'>,
  signedIn: SignedIn,
  remember: boolean,
): void {
  context.append('Set-Cookie', auth.sessionCookie(signedIn, remember))
  context.append('Set-Cookie', auth.deviceCookie(signedIn.user))
}

/** Responses must not be cached, framed, or indexed. */
function setHeaders(context: Koa.Context): void {
  context.set({
    'Cache-Control': 'no-store',
    'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    'X-Frame-Options': 'DENY',
    'X-Robots-Tag': 'noindex',
    // Not "same-origin": some browsers would then send `Origin: null` with the form.
    'Referrer-Policy': 'strict-origin-when-cross-origin',
  })
}
