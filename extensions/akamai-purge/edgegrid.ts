import { createHash, createHmac, randomUUID } from 'node:crypto'

/** Credentials of an API client. */
export interface Client {
  readonly host: string
  readonly clientToken: string
  readonly accessToken: string
  readonly clientSecret: string
}

/**
 * The `Authorization` header of a POST request to an Akamai API.
 *
 * @see https://techdocs.akamai.com/developer/docs/authenticate-with-edgegrid
 * @param made when and with which nonce the request is signed
 */
export function authorize(
  { host, clientToken, accessToken, clientSecret }: Client,
  { path, body }: { path: string; body: string },
  { time = new Date(), nonce = randomUUID() as string } = {},
): string {
  const timestamp = `${time.toISOString().slice(0, 19).replaceAll('-', '')}+0000`
  const header = `EG1-HMAC-SHA256 client_token=${clientToken};access_token=${accessToken};timestamp=${timestamp};nonce=${nonce};`
  const digest = createHash('sha256').update(body).digest('base64')
  // Empty: the signed headers, of which the purge API has none.
  const signed = ['POST', 'https', host, path, '', digest, header].join('\t')
  return `${header}signature=${hmac(hmac(clientSecret, timestamp), signed)}`
}

function hmac(key: string, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64')
}
