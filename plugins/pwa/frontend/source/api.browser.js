/** Calls the host as whoever is signed in: pages are cached, so the nonce is asked for. */
import { settings } from './settings.browser.js'

let nonce

async function askNonce() {
  const answer = await fetch(`${settings.api}/nonce`, { cache: 'no-store' })
  return (await answer.json()).data.nonce
}

/** @throws if the host can't be reached. @returns status and data of the answer */
export async function call(method, path, body) {
  nonce ??= askNonce()
  const headers = { 'Content-Type': 'application/json', 'X-WP-Nonce': await nonce.catch(() => '') }
  const answer = await fetch(`${settings.api}/${path}`, {
    method,
    headers,
    body: JSON.stringify(body),
    keepalive: true,
  })
  const { data } = await answer.json().catch(() => ({}))
  return { status: answer.status, data }
}
