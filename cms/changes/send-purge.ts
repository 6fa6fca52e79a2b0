import { PurgeRejectedError } from './rejected.ts'

/**
 * Sends a request to the API of a CDN.
 *
 * @param product its name, for error messages
 * @returns a successful response
 * @throws PurgeRejectedError for a response that a retry will not change; otherwise an error with the CDN's `Retry-After` as `retryAfter`
 */
export async function sendPurge(
  product: string,
  url: string,
  { fetch, ...init }: RequestInit & { readonly fetch: typeof globalThis.fetch },
): Promise<Response> {
  const response = await fetch(url, { ...init, redirect: 'manual' }).catch((cause: unknown) => {
    throw new Error(`${product} could not be reached.`, { cause })
  })
  if (response.ok) return response
  await response.body?.cancel()
  const { status, headers } = response
  const message = `${product} responded with ${status}.`
  if (status !== 408 && status !== 429 && status < 500) throw new PurgeRejectedError(message)
  throw Object.assign(new Error(message), { retryAfter: headers.get('Retry-After') })
}
