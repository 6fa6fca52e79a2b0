import { createHmac } from 'node:crypto'
import http from 'node:http'
import https from 'node:https'
import { isIP } from 'node:net'
import { isPublicAddress, publicLookup } from 'pentad'

export interface Message {
  /** Does not change on retries. */
  readonly id: string
  readonly type: 'speed.purged' | 'speed.purge_test'
  readonly data: unknown
}

/**
 * Posts a message signed according to Standard Webhooks: HMAC-SHA256 over id, time and body.
 *
 * @see https://www.standardwebhooks.com
 * @param options.allowLoopback whether the receiver may be this machine, without TLS
 * @throws Error for any response other than 2xx, including redirects, and for addresses that are not public
 */
export function deliver(
  address: string,
  { id, type, data }: Message,
  { secret, allowLoopback, signal }: { secret: string; allowLoopback: boolean; signal: AbortSignal },
): Promise<void> {
  const url = new URL(address)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isTrusted = allowLoopback && ['127.0.0.1', '::1', 'localhost'].includes(host)
  if (!isTrusted && url.protocol !== 'https:') throw new Error(`${url.host} was blocked because the URL is not HTTPS.`)
  if (!isTrusted && isIP(host) && !isPublicAddress(host))
    throw new Error(`${host} was blocked because the address is not public.`)

  const body = JSON.stringify({ type, timestamp: new Date().toISOString(), data })
  const time = String(Math.floor(Date.now() / 1000))
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signature = `v1,${createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64')}`
  const headers = { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signature }
  const options = { method: 'POST', lookup: isTrusted ? undefined : publicLookup, signal, agent: false, headers }
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const sent = (url.protocol === 'https:' ? https : http).request(url, options, (response) => {
    const { statusCode = 0, headers } = response.resume()
    if (statusCode >= 200 && statusCode < 300) resolve()
    else
      reject(
        Object.assign(new Error(`${url.host} responded with ${statusCode}.`), { retryAfter: headers['retry-after'] }),
      )
  })
  sent.setHeader('Content-Type', 'application/json')
  sent.once('error', (error) => reject(new Error(`${url.host} could not be reached.`, { cause: error }))).end(body)
  return promise
}
