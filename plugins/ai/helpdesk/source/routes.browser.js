/** Calls the helpdesk routes as the current user. Pages are cached, so data of the visitor is requested separately. */
import { settings } from './settings.browser.js'

let session

/** The nonce of the visitor and the time when the form was opened; requested once. */
export function begin() {
  session ??= askForNonce()
  return session
}

/** Without values if the request fails; requested again with the next submission. */
async function askForNonce() {
  try {
    const answer = await fetch(`${settings.api}/nonce`, { cache: 'no-store' })
    if (answer.ok) {
      const { data } = await answer.json()
      return { ...data, ready: performance.now() + data.minimumTime }
    }
  } catch {}
  session = undefined
  return {}
}

/** Waits until a form may be submitted: visitors whose browser fills in the fields are faster than the minimum time. */
export async function waitForMinimumTime() {
  const { ready = 0 } = await begin()
  const remaining = ready - performance.now()
  if (remaining > 0) await new Promise((resolve) => setTimeout(resolve, remaining))
}

/** @returns status, code and data of the response; status 0 if the site is unreachable */
export async function post(route, body) {
  const { nonce, formToken, ready } = await begin()
  const answer = await send(route, { ...body, formToken }, nonce)
  if (answer.code !== 'rest_cookie_invalid_nonce') return answer
  // The user signed in or out in the meantime. The age of the form stays the same.
  session = askForNonce().then((fresh) => ({ ...fresh, formToken, ready }))
  return send(route, { ...body, formToken }, (await session).nonce)
}

async function send(route, body, nonce) {
  try {
    const answer = await fetch(`${settings.api}/${route}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(nonce && { 'X-WP-Nonce': nonce }) },
      body: JSON.stringify({ ...body, form: settings.form, pageUrl: location.href.slice(0, 2000) }),
    })
    const { code, data } = await answer.json()
    return { status: answer.status, code, data }
  } catch {
    return { status: 0 }
  }
}
