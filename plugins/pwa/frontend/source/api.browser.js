/** Calls the host as whoever is signed in: pages are cached, so the nonce is asked for. */
import { settings } from './settings.browser.js'

let nonce

async function askNonce() {
  const answer = await fetch(`${settings.api}/nonce`, { cache: 'no-store' })
  return (await answer.json()).data.nonce
}

/** @throws if the host can't be reached. @returns status and data of the answer */
export async function call(method, path, body) {
  const used = nonce
  const answer = await send(method, path, body)
  if (answer.code !== 'rest_cookie_invalid_nonce') return answer
  nonce = undefined
  // An app stays open for days, and somebody signs in meanwhile: the nonce of the page was good once.
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
