import { hash } from 'node:crypto'
import type Koa from 'koa'
import type { Auth } from '../../core/auth/types.ts'
import { RestError } from '../../core/errors.ts'
import { escapeHtml } from '../../core/http/escape-html.ts'
import { queryOf } from '../../core/http/request.ts'
import type { FixedAddresses } from '../../core/http/router.ts'
import { assertionSchema, type TwoFactor } from '../accounts/index.ts'
import { isOwnForm, localTarget, readForm } from '../http/request-form.ts'
import { createRateLimit } from '../rate-limits/rate-limit.ts'
import type { RateLimitStore } from '../rate-limits/types.ts'
import { errorText } from '../text/error-text.ts'
import { CONTENT_SECURITY_POLICY, messages, page, type ReadLook } from './pages.ts'
import { redirect, respond, setLoginCookies } from './response.ts'

const LOGIN = '/wp-login.php'
const ADMIN = '/wp-admin/'
const ACTION = 'passkey'

/** Lets the authenticator answer the challenge, and submits the answer. */
const SCRIPT = `
const form = document.getElementById('passkey_form')
form.addEventListener('submit', async (event) => {
  event.preventDefault()
  try {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(JSON.parse(form.dataset.options))
    form.elements.credential.value = JSON.stringify(await navigator.credentials.get({ publicKey }))
    form.submit()
  } catch (error) {
    const note = document.getElementById('passkey_error')
    note.textContent = error.name === 'NotAllowedError' ? note.dataset.unused : note.dataset.unsupported
    note.hidden = false
  }
})
`
const POLICY = `${CONTENT_SECURITY_POLICY}; script-src 'sha256-${hash('sha256', SCRIPT, 'base64')}'`

interface Parts {
  readonly passkeys: TwoFactor['passkeys']
  readonly auth: Pick<Auth, 'startSession' | 'sessionCookie' | 'deviceCookie' | 'securityLog'>
  readonly config: { readonly url: string }
  readonly rateLimitStore: RateLimitStore
  readonly look: ReadLook
}

/** The page with which users log in with a passkey: the `passkey` action of `/wp-login.php`. */
export function registerPasskeyLogin(
  addresses: FixedAddresses,
  { passkeys, auth, config, look, rateLimitStore }: Parts,
): void {
  const failures = createRateLimit({
    ...{ points: 20, seconds: 60 },
    message: 'Too many failed logins. Please wait a minute before you try again.',
    shared: { name: 'passkeys', store: rateLimitStore },
  })
  const isMine = (context: Koa.Context) => passkeys.isSupported && queryOf(context).get('action') === ACTION

  async function show(context: Koa.Context, redirectTo: string, error?: RestError): Promise<void> {
    const options = escapeHtml(JSON.stringify(passkeys.loginOptions()))
    const site = await look()
    const { esc_html__ } = site.texts
    const unused = esc_html__('No passkey was used. Please try again.')
    const unsupported = esc_html__('This browser cannot use passkeys here. Log in with your password instead.')
    const body = `<h1>${esc_html__('Log in with a passkey')}</h1>
${messages(error && errorText(site.texts, error))}
<p class="note error" role="alert" id="passkey_error" data-unused="${unused}" data-unsupported="${unsupported}" hidden></p>
<p>${esc_html__('Your device or password manager asks for your fingerprint, face, or PIN.')}</p>
<form method="post" action="${LOGIN}?action=${ACTION}" id="passkey_form" data-options="${options}">
<input type="hidden" name="credential">
<input type="hidden" name="redirect_to" value="${escapeHtml(redirectTo)}">
<div class="check"><input type="checkbox" name="rememberme" id="rememberme" value="forever"><label for="rememberme">${esc_html__('Remember me for two weeks')}</label></div>
<button type="submit" autofocus>${esc_html__('Use passkey')}</button>
</form>
<p class="quiet"><a href="${LOGIN}">${esc_html__('Log in with a password')}</a></p>
<script>${SCRIPT}</script>`
    context.set({ ...error?.headers })
    respond(context, error?.status ?? 200, page(esc_html__('Log in with a passkey'), site, body), POLICY)
  }

  async function logIn(context: Koa.Context): Promise<void> {
    const fields = await readForm(context.req)
    const redirectTo = localTarget(fields.get('redirect_to'), config.url, ADMIN)
    if (!isOwnForm(context.req, config.url)) return redirect(context, LOGIN)
    const client = { address: context.state.clientAddress, userAgent: context.get('User-Agent') }
    const remember = fields.has('rememberme')
    try {
      await failures.check(client.address)
      const user = await passkeys.logIn(readCredential(fields.get('credential')))
      const signedIn = await auth.startSession(user, { ...client, remember })
      setLoginCookies(context, auth, signedIn, remember)
      redirect(context, redirectTo)
    } catch (error) {
      if (!(error instanceof RestError)) throw error
      // One over the limit is neither counted nor recorded, so that it cannot fill the log.
      if (error.code === 'invalid_passkey') {
        await auth.securityLog.record('passkey_failed', { client })
        await failures.consume(client.address).catch(() => {})
      }
      await show(context, redirectTo, error)
    }
  }

  addresses.get(LOGIN, (context, next) =>
    isMine(context) ? show(context, localTarget(queryOf(context).get('redirect_to'), config.url, ADMIN)) : next(),
  )
  addresses.post(LOGIN, (context, next) => (isMine(context) ? logIn(context) : next()))
}

/** @throws RestError 401 `invalid_passkey` */
function readCredential(json: string | null) {
  try {
    return assertionSchema.parse(JSON.parse(json ?? ''))
  } catch {
    throw new RestError('invalid_passkey', 'The passkey could not be verified. Please try again.', { status: 401 })
  }
}
