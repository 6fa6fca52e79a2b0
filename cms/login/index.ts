import type Koa from 'koa'
import type { Auth, Identity } from '../../core/auth/types.ts'
import { RestError } from '../../core/errors.ts'
import { queryOf } from '../../core/http/request.ts'
import { currentRequest } from '../../core/http/request-context.ts'
import type { FixedAddresses } from '../../core/http/router.ts'
import { TwoFactorRequired } from '../accounts/index.ts'
import { isOwnForm, localTarget, readForm } from '../http/request-form.ts'
import type { PolicyLink } from '../privacy/policy.ts'
import { errorText } from '../text/error-text.ts'
import { confirmLogoutPage, type LoginForm, loginPage, type PageLook, type ReadLook } from './pages.ts'
import { redirect, respond, setLoginCookies } from './response.ts'
import type { TwoFactorPages } from './two-factor.ts'

export type { ReadLook } from './pages.ts'
export { registerPasskeyLogin } from './passkey.ts'
export { createTwoFactorPages } from './two-factor.ts'

const LOGIN = '/wp-login.php'
const ADMIN = '/wp-admin/'
/** The form for post passwords, which the public site handles. */
const POST_PASSWORD = 'postpass'
const AJAX = '/wp-admin/admin-ajax.php'
/** WordPress's name of the action. */
const LOGOUT_ACTION = 'log-out'

interface Parts {
  readonly auth: Auth
  readonly config: { readonly url: string }
  readonly look: ReadLook
  readonly twoFactorPages: TwoFactorPages
  /** Whether users can log in with passkeys. */
  readonly hasPasskeys: boolean
  readonly policyLink: () => Promise<PolicyLink | undefined>
}

/**
 * The login and logout pages: `/wp-login.php`, and the nonce that `@wordpress/api-fetch` requests from
 * `/wp-admin/admin-ajax.php`.
 */
export function registerLogin(addresses: FixedAddresses, parts: Parts): void {
  const { auth, config, look, twoFactorPages, hasPasskeys, policyLink } = parts
  async function identify(context: Koa.Context): Promise<Identity> {
    const credentials = { cookie: context.get('Cookie') || undefined, address: context.state.clientAddress }
    const identity = await auth.identifyPage(credentials)
    currentRequest()?.identify(identity)
    return identity
  }
  const form = async (fields: Partial<LoginForm> & Pick<LoginForm, 'site'>) => {
    const policy = await policyLink()
    return loginPage({ login: '', remember: false, redirectTo: ADMIN, hasPasskeys, policy, ...fields })
  }

  async function showForm(context: Koa.Context): Promise<void> {
    const query = queryOf(context)
    const redirectTo = localTarget(query.get('redirect_to'), config.url, ADMIN)
    const { user } = await identify(context)
    if (user && !query.has('reauth')) return redirect(context, redirectTo)
    const site = await look(user)
    respond(context, 200, await form({ site, redirectTo, notice: noticeOf(query, site) }))
  }

  async function signIn(context: Koa.Context): Promise<void> {
    const fields = await readForm(context.req)
    const login = fields.get('log') ?? ''
    const remember = isSet(fields.get('rememberme'))
    const redirectTo = localTarget(fields.get('redirect_to'), config.url, ADMIN)
    if (!isOwnForm(context.req, config.url)) {
      const site = await look()
      const error = site.texts.esc_html__('This form was submitted from another site. Please log in here.')
      return respond(context, 403, await form({ site, redirectTo, error }))
    }
    try {
      const client = { address: context.state.clientAddress, userAgent: context.get('User-Agent') }
      const cookie = context.get('Cookie') || undefined
      const signedIn = await auth.signIn({ login, password: fields.get('pwd') ?? '', remember, cookie, ...client })
      setLoginCookies(context, auth, signedIn, remember)
      redirect(context, redirectTo)
    } catch (error) {
      if (error instanceof TwoFactorRequired) return twoFactorPages.show(context, error, redirectTo)
      if (!(error instanceof RestError)) throw error
      context.set({ ...error.headers })
      // As in WordPress, a wrong password returns the form with status 200; other errors keep their status.
      const status = error.code === 'incorrect_password' ? 200 : error.status
      const site = await look()
      const shown = { login: login.slice(0, 254), remember, redirectTo, error: errorText(site.texts, error) }
      respond(context, status, await form({ site, ...shown }))
    }
  }

  async function signOut(context: Koa.Context): Promise<void> {
    const identity = await identify(context)
    const query = queryOf(context)
    if (identity.session && !auth.verifyNonce(query.get('_wpnonce') ?? '', LOGOUT_ACTION, identity)) {
      const page = confirmLogoutPage({ site: await look(identity.user), logoutUrl: logoutUrl(auth, identity) })
      return respond(context, 403, page)
    }
    if (identity.session) {
      await auth.signOut(identity.session)
      context.append('Set-Cookie', auth.sessionCookie(null))
    }
    redirect(context, localTarget(query.get('redirect_to'), config.url, `${LOGIN}?loggedout=true`))
  }

  /** As in WordPress, including for an unknown action: `0`. */
  async function respondToAjax(context: Koa.Context): Promise<void> {
    const identity = await identify(context)
    const isNonce = queryOf(context).get('action') === 'rest-nonce' && identity.user !== null
    respond(context, isNonce ? 200 : 400, isNonce ? auth.createNonce('wp_rest', identity) : '0')
  }

  addresses.get(LOGIN, (context, next) => {
    const action = queryOf(context).get('action')
    if (action === POST_PASSWORD) return next()
    return action === 'logout' ? signOut(context) : showForm(context)
  })
  addresses.post(LOGIN, (context, next) =>
    queryOf(context).get('action') === POST_PASSWORD ? next() : signIn(context),
  )
  addresses.get(AJAX, respondToAjax)
  addresses.post(AJAX, respondToAjax)
}

/** A logout link of this site; links from other sites require confirmation. */
export function logoutUrl(auth: Pick<Auth, 'createNonce'>, identity: Pick<Identity, 'user' | 'session'>): string {
  return `${LOGIN}?action=logout&_wpnonce=${auth.createNonce(LOGOUT_ACTION, identity)}`
}

function noticeOf(query: URLSearchParams, { texts: { esc_html__ } }: PageLook): string | undefined {
  if (query.get('loggedout') === 'true') return esc_html__('You are now logged out.')
  if (query.get('expired') === 'true') return esc_html__('Your login session has expired. Please log in again.')
  if (query.get('password') === 'changed') return esc_html__('Your password has been set. You can now log in.')
  return undefined
}

/** A checkbox, or a flag set by a script. */
function isSet(value: string | null): boolean {
  return value !== null && !['', '0', 'false'].includes(value)
}
