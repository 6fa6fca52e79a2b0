/** Calls the helpdesk routes as the current user. Pages are cached, so data of the visitor is requested separately. */
import { settings } from './settings.browser.js'

let session

/** The nonce of the visitor and the time when the form was opened; requested once. */
export function begin() {
  session ??= askForNonce()
  return session
}

/** Empty if the request fails; requested again with the next submission. */
async function askForNonce() {
  try {
    const answer = await fetch(`${settings.api}/nonce`, { cache: 'no-store' })
    if (answer.ok) return (await answer.json()).data
  } catch {}
  session = undefined
  return {}
}

/** @returns status, code and data of the response; status 0 if the site is unreachable */
export async function post(route, body) {
  const { nonce, formToken } = await begin()
  const answer = await send(route, { ...body, formToken }, nonce)
  if (answer.code !== 'rest_cookie_invalid_nonce') return answer
  // The user signed in or out in the meantime. The age of the form stays the same.
  session = askForNonce().then((fresh) => ({ ...fresh, formToken }))
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
