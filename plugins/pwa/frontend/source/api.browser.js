/** REST calls as the current user. The nonce is fetched because pages are cached. */
import { settings } from './settings.browser.js'

let nonce

async function askNonce() {
  const response = await fetch(`${settings.api}/nonce`, { cache: 'no-store' })
  return (await response.json()).data.nonce
}

/** @throws if the host cannot be reached. @returns status and data of the response */
export async function call(method, path, body) {
  const used = nonce
  const result = await send(method, path, body)
  if (result.code !== 'rest_cookie_invalid_nonce') return result
  nonce = undefined
  // The nonce expired, or the user changed in an app that stays open for days.
  return used ? send(method, path, body) : result
}

async function send(method, path, body) {
  nonce ??= await askNonce()
  const response = await fetch(`${settings.api}/${path}`, {
    method,
    headers: { 'Content-Type': 'application/json', 'X-WP-Nonce': nonce },
    body: JSON.stringify(body),
    keepalive: true,
  })
  const { code, data } = await response.json().catch(() => ({}))
  return { status: response.status, code, data }
}
