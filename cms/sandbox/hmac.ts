import { createHmac } from 'node:crypto'

/** Of the secrets of Standard Webhooks (https://www.standardwebhooks.com). Another prefix would let code guess a secret letter by letter. */
export const SECRET_PREFIX = 'whsec_'

/** How a secret signs a message. */
export interface HmacOptions {
  /** Default `sha256`. */
  readonly hash?: 'sha256' | 'sha512' | undefined
  /** Of the result; default `base64`. */
  readonly encoding?: 'hex' | 'base64' | undefined
  /** How the secret encodes its bytes, after an optional prefix. Default: as UTF-8. */
  readonly key?:
    | { readonly prefix?: typeof SECRET_PREFIX | undefined; readonly encoding: 'utf8' | 'base64' }
    | undefined
}

/** Secrets of the extension's settings. */
export interface Secrets {
  /**
   * Signs a message with a secret setting (HMAC, RFC 2104). A sandboxed extension never sees the secret: `settings.get()` gives it a
   * handle, which this function and the headers of `fetch` accept.
   */
  hmac(secret: string, message: string, options?: HmacOptions): string
}

export function hmac(
  secret: string,
  message: string,
  { hash = 'sha256', encoding = 'base64', key }: HmacOptions = {},
): string {
  const { prefix, encoding: of = 'utf8' } = key ?? {}
  const bytes = Buffer.from(
    prefix !== undefined && secret.startsWith(prefix) ? secret.slice(prefix.length) : secret,
    of,
  )
  return createHmac(hash, bytes).update(message).digest(encoding)
}
