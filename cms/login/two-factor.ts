import type Koa from 'koa'
import type { Auth, User } from '../../core/auth/types.ts'
import { RestError } from '../../core/errors.ts'
import type { Hooks } from '../../core/hooks/types.ts'
import { queryOf } from '../../core/http/request.ts'
import type { FixedAddresses } from '../../core/http/router.ts'
import type { TwoFactor, TwoFactorRequired } from '../accounts/index.ts'
import { isOwnForm, localTarget, readForm } from '../http/request-form.ts'
import { errorText } from '../text/error-text.ts'
import type { ReadLook } from './pages.ts'
import { redirect, respond, setLoginCookies } from './response.ts'
import { codePage, recoveryCodesPage, setUpPage } from './two-factor-pages.ts'

const LOGIN = '/wp-login.php'
const ADMIN = '/wp-admin/'
/** The action of WordPress's Two-Factor plugin. */
const VALIDATE = 'validate_2fa'
const SET_UP = 'setup_2fa'

interface Parts {
  readonly twoFactor: TwoFactor
  readonly auth: Pick<Auth, 'startSession' | 'sessionCookie' | 'deviceCookie'>
  readonly hooks: Hooks
  readonly config: { readonly url: string }
  readonly look: ReadLook
}

export interface TwoFactorPages {
  /** Responds with the second step of a login whose password was right. */
  show(context: Koa.Context, required: TwoFactorRequired, redirectTo: string): Promise<void>
}

/** The second step of a login: the `validate_2fa` and `setup_2fa` actions of `/wp-login.php`. */
export function createTwoFactorPages(addresses: FixedAddresses, parts: Parts): TwoFactorPages {
  const { twoFactor, auth, hooks, config, look } = parts

  async function logIn(context: Koa.Context, user: User, remember: boolean): Promise<void> {
    const client = { address: context.state.clientAddress, userAgent: context.get('User-Agent'), remember }
    const signedIn = await auth.startSession(user, client)
    setLoginCookies(context, auth, signedIn, remember)
  }

  /** The page for setting up an app, with the given secret, or with a new one. */
  async function showSetUp(context: Koa.Context, user: User, form: SetUpForm): Promise<void> {
    const { secret: given, failure, ...fields } = form
    const { secret, qrCode } = twoFactor.prepare(user, given)
    const site = await look(user)
    const error = failure && errorText(site.texts, failure)
    respond(context, 200, setUpPage({ site, ...fields, error, secret, code: qrCode }))
  }

  async function showCode(context: Koa.Context, user: User, form: CodeForm): Promise<void> {
    const { status = 200, failure, ...fields } = form
    const { app: hasApp, passkeys } = await twoFactor.status(user)
    const site = await look(user)
    const error = failure && errorText(site.texts, failure)
    respond(context, status, codePage({ site, ...fields, error, hasApp, hasPasskeys: passkeys.length > 0 }))
  }

  /** Handles a form of a pending login. An expired login leads back to the first step. */
  async function attempt(
    context: Koa.Context,
    work: (login: { user: User; remember: boolean; form: PendingFields }) => Promise<void>,
  ): Promise<void> {
    const fields = await readForm(context.req)
    const redirectTo = localTarget(fields.get('redirect_to'), config.url, ADMIN)
    const form = { fields, redirectTo, token: fields.get('token') ?? '' }
    if (!isOwnForm(context.req, config.url)) return redirect(context, LOGIN)
    try {
      await work({ ...(await twoFactor.resume(form.token)), form })
    } catch (error) {
      if (!(error instanceof RestError && error.code === 'login_expired')) throw error
      redirect(context, `${LOGIN}?${new URLSearchParams({ expired: 'true', redirect_to: redirectTo })}`)
    }
  }

  const validate = (context: Koa.Context) =>
    attempt(context, async ({ user, remember, form: { fields, redirectTo, token } }) => {
      try {
        await twoFactor.verify(user, fields.get('authcode') ?? '')
      } catch (error) {
        if (!(error instanceof RestError)) throw error
        await hooks.doActionAsync('wp_login_failed', user.login, error)
        context.set({ ...error.headers })
        // As for a wrong password, the form is shown again with status 200.
        const status = error.code === 'incorrect_code' ? 200 : error.status
        return showCode(context, user, { status, token, redirectTo, failure: error })
      }
      await logIn(context, user, remember)
      redirect(context, redirectTo)
    })

  const setUp = (context: Koa.Context) =>
    attempt(context, async ({ user, remember, form: { fields, redirectTo, token } }) => {
      const secret = fields.get('secret') ?? ''
      // With another factor, the second step is that one: a token alone must not replace it.
      const { app, passkeys } = await twoFactor.status(user)
      if (app || passkeys.length > 0 || !/^[A-Z2-7]{32}$/.test(secret)) return redirect(context, LOGIN)
      let codes: readonly string[]
      try {
        codes = await twoFactor.enable(user, secret, fields.get('authcode') ?? '')
      } catch (error) {
        if (!(error instanceof RestError)) throw error
        return showSetUp(context, user, { token, redirectTo, secret, failure: error })
      }
      await logIn(context, user, remember)
      respond(context, 200, recoveryCodesPage({ site: await look(user), codes, redirectTo }))
    })

  addresses.post(LOGIN, (context, next) => {
    const action = queryOf(context).get('action')
    if (action === VALIDATE) return validate(context)
    return action === SET_UP ? setUp(context) : next()
  })

  return {
    async show(context, { token, mustSetUp }, redirectTo) {
      const { user } = await twoFactor.resume(token)
      if (!mustSetUp) return showCode(context, user, { token, redirectTo })
      await showSetUp(context, user, { token, redirectTo })
    },
  }
}

interface PendingFields {
  readonly fields: URLSearchParams
  readonly redirectTo: string
  readonly token: string
}

interface CodeForm {
  readonly token: string
  readonly redirectTo: string
  readonly failure?: RestError
  readonly status?: number
}

interface SetUpForm {
  readonly token: string
  readonly redirectTo: string
  readonly secret?: string
  readonly failure?: RestError
}
