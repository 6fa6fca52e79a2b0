/** REST calls as the current user. The nonce is fetched because pages are cached. */
import { settings } from './settings.browser.js'

let nonce

async function askNonce() {
  const answer = await fetch(`${settings.api}/nonce`, { cache: 'no-store' })
  return (await answer.json()).data.nonce
}

/** @throws if the host cannot be reached. @returns status and data of the response */
export async function call(method, path, body) {
  const used = nonce
  const answer = await send(method, path, body)
  if (answer.code !== 'rest_cookie_invalid_nonce') return answer
  nonce = undefined
  // The nonce expired, or the user changed in an app that stays open for days.
  return used ? send(method, path, body) : answer
}

async function send(method, path, body) {
  nonce ??= await askNonce()
  const answer = await fetch(`${settings.api}/${path}`, {
    method,
    headers: { 'Content-Type': 'application/json', 'X-WP-Nonce': nonce },
    body: JSON.stringify(body),
    keepalive: true,
  })
  const { code, data } = await answer.json().catch(() => ({}))
  return { status: answer.status, code, data }
}
