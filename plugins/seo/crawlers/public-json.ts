import { type ExtensionHost, publicLookup } from 'pentad'

/** Bytes and milliseconds that an answer may take. */
const MOST_BYTES = 1024 * 1024
const PATIENCE = 10_000

/**
 * Fetches JSON over TLS from an address of the public internet; the address is checked where the connection is made.
 *
 * @throws Error for any other address, any answer but 200, one that is too long or no JSON, and after ten seconds
 */
export async function fetchPublicJson(
  host: Pick<ExtensionHost, 'fetch'>,
  url: string,
  { redirect = 'follow' }: { redirect?: 'follow' | 'error' } = {},
): Promise<unknown> {
  const { Agent } = await import('undici')
  const dispatcher = new Agent({ connect: { lookup: publicLookup }, maxResponseSize: MOST_BYTES })
  const init: RequestInit = { redirect, signal: AbortSignal.timeout(PATIENCE), headers: { Accept: 'application/json' } }
  // Of the package's own type, which Node's differs from in nothing that counts.
  Object.assign(init, { dispatcher })
  try {
    const answer = await host.fetch(url, init)
    // Empty where the answer did not come from a network.
    if (answer.url !== '' && !answer.url.startsWith('https:')) throw new Error(`${url} redirects to ${answer.url}.`)
    if (answer.status !== 200) throw new Error(`${url} returned ${answer.status}.`)
    return await answer.json()
  } finally {
    await dispatcher.destroy()
  }
}
