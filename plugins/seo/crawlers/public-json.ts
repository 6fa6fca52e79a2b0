import { type ExtensionHost, publicLookup } from 'pentad'

/** Maximum size of a response in bytes, and its timeout in ms. */
const MOST_BYTES = 1024 * 1024
const PATIENCE = 10_000

/**
 * Fetches JSON over TLS from a public address; the address is checked when the connection is made.
 * @throws Error for other addresses, statuses other than 200, responses that are too large or not JSON, and timeouts
 */
export async function fetchPublicJson(
  host: Pick<ExtensionHost, 'fetch'>,
  url: string,
  { redirect = 'follow' }: { redirect?: 'follow' | 'error' } = {},
): Promise<unknown> {
  const { Agent } = await import('undici')
  const dispatcher = new Agent({ connect: { lookup: publicLookup }, maxResponseSize: MOST_BYTES })
  const init: RequestInit = { redirect, signal: AbortSignal.timeout(PATIENCE), headers: { Accept: 'application/json' } }
  // The package has its own `Response` type, compatible with Node's.
  Object.assign(init, { dispatcher })
  try {
    const answer = await host.fetch(url, init)
    // Empty if the response did not come from the network.
    if (answer.url !== '' && !answer.url.startsWith('https:')) throw new Error(`${url} redirects to ${answer.url}.`)
    if (answer.status !== 200) throw new Error(`${url} returned ${answer.status}.`)
    return await answer.json()
  } finally {
    await dispatcher.destroy()
  }
}
