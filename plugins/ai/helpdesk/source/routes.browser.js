/** Calls the helpdesk of the site as whoever is signed in. Pages are cached, so what only one visitor has is asked for. */
import { settings } from './settings.browser.js'

let session

/** Says who the visitor is and since when the form is open; the site is asked once. */
export function begin() {
  session ??= askForNonce()
  return session
}

/** Nothing where the site does not say it for the moment: it is asked again with what is sent next. */
async function askForNonce() {
  try {
    const answer = await fetch(`${settings.api}/nonce`, { cache: 'no-store' })
    if (answer.ok) return (await answer.json()).data
  } catch {}
  session = undefined
  return {}
}

/** @returns status, code and data of the answer; status 0 if the site can't be reached */
export async function post(route, body) {
  const { nonce, formToken } = await begin()
  const answer = await send(route, { ...body, formToken }, nonce)
  if (answer.code !== 'rest_cookie_invalid_nonce') return answer
  // Somebody signed in or out meanwhile. The form is as old as it is.
  session = askForNonce().then((fresh) => ({ ...fresh, formToken }))
  return send(route, { ...body, formToken }, (await session).nonce)
}

async function send(route, body, nonce) {
  try {
    const answer = await fetch(`${settings.api}/${route}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(nonce && { 'X-WP-Nonce': nonce }) },
      body: JSON.stringify({ ...body, pageUrl: location.href.slice(0, 2000) }),
    })
    const { code, data } = await answer.json()
    return { status: answer.status, code, data }
  } catch {
    return { status: 0 }
  }
}
