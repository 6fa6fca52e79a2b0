import { __ } from '../i18n.ts'
import { pageData, readPageData } from '../page-data.ts'
import { parseHtml } from '../parts/parse-html.ts'
import { answerWithPasskey } from './passkey.ts'

type Listener = (isAsking: boolean) => void

const PASSKEY_LOGIN = '/wp-login.php?action=passkey'

let waiting: { promise: Promise<string>; resolve: (nonce: string) => void } | undefined
const listeners = new Set<Listener>()

/** Subscribes to requests to log in again: called when one starts, and when it is done. */
export function onSignedOut(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Waits until the user has logged in again on this page; all requests share the same form. Resolves to a new nonce. */
export function signInAgain(): Promise<string> {
  if (!waiting) {
    const { promise, resolve } = Promise.withResolvers<string>()
    waiting = { promise, resolve }
    for (const listener of listeners) listener(true)
  }
  return waiting.promise
}

/** A login whose password was right, and that needs a second step. */
export interface PendingLogin {
  readonly token: string
  /** Whether the account has an authenticator app; without one, only recovery codes are accepted as codes. */
  readonly hasApp: boolean
  readonly hasPasskey: boolean
}

/**
 * Logs in through the login form of the site.
 * @returns the error message of the form if the login failed; the pending login if it needs a second step
 */
export const signIn = (login: string, password: string): Promise<string | PendingLogin | undefined> =>
  submitLogin('/wp-login.php', { log: login, pwd: password })

/** The second step of a login. @returns like `signIn` */
export const enterCode = (token: string, code: string): Promise<string | PendingLogin | undefined> =>
  submitLogin('/wp-login.php?action=validate_2fa', { token, authcode: code })

/** Logs in with a passkey of this device, as the login page does. @returns like `signIn` @throws Error if none was used */
export async function signInWithPasskey(): Promise<string | PendingLogin | undefined> {
  const response = await fetch(PASSKEY_LOGIN)
  const form = parseHtml(await response.text()).getElementById('passkey_form')
  if (!form) return elsewhere()
  const credential = await answerWithPasskey(JSON.parse(form.dataset.options ?? ''))
  return submitLogin(PASSKEY_LOGIN, { credential: JSON.stringify(credential) })
}

async function submitLogin(url: string, fields: Record<string, string>): Promise<string | PendingLogin | undefined> {
  const response = await fetch(url, {
    method: 'POST',
    body: new URLSearchParams({ ...fields, redirect_to: '/wp-admin/' }),
  })
  const page = parseHtml(await response.text())
  const loginError = page.getElementById('login_error')?.textContent
  if (loginError) return loginError
  if (page.getElementById('pentad-data')) {
    goOn(page)
    return undefined
  }
  const form = page.getElementById('validate_2fa_form')
  const token = form?.querySelector('[name="token"]')?.getAttribute('value')
  if (form && token) {
    const hasPasskey = page.getElementById('validate_2fa_passkey') !== null
    return { token, hasApp: form.dataset.app === 'true', hasPasskey }
  }
  // Its role requires a second step that is not set up yet, or the login has expired.
  return elsewhere()
}

const elsewhere = () =>
  __(
    'The login could not be completed here. Use another tab to log in, then choose “I’ve logged in using another tab”.',
    'pentad',
  )

/** For users who have logged in again in another tab. @returns whether there is a session again */
export async function lookForSession(): Promise<boolean> {
  const page = await readAdmin()
  if (page) goOn(page)
  return page !== undefined
}

/** A nonce of the current session; `undefined` if it has ended. */
export async function renewNonce(): Promise<string | undefined> {
  const page = await readAdmin()
  return page && nonceOf(page)
}

async function readAdmin(): Promise<DocumentFragment | undefined> {
  const response = await fetch('/wp-admin/')
  const page = parseHtml(await response.text())
  return page.getElementById('pentad-data') ? page : undefined
}

/**
 * Verifies that the session belongs to the user who opened this page. If another user has logged in since, the page reloads,
 * and nothing is sent on their behalf.
 */
function nonceOf(page: DocumentFragment): string | Promise<never> {
  const { user, nonce } = readPageData(page)
  if (user.id === pageData.user.id) return nonce
  window.location.reload()
  return new Promise(() => {})
}

function goOn(page: DocumentFragment): void {
  const nonce = nonceOf(page)
  if (typeof nonce !== 'string') return
  waiting?.resolve(nonce)
  waiting = undefined
  for (const listener of listeners) listener(false)
}
