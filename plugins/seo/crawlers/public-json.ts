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
    const response = await host.fetch(url, init)
    // Empty if the response did not come from the network.
    if (response.url !== '' && !response.url.startsWith('https:'))
      throw new Error(`${url} redirects to ${response.url}.`)
    if (response.status !== 200) throw new Error(`${url} returned ${response.status}.`)
    return await response.json()
  } finally {
    await dispatcher.destroy()
  }
}
