import { Secret, TOTP } from 'otpauth'

/** Size of a secret in bytes (RFC 4226, 4). */
const SECRET_BYTES = 20
/** Steps by which the clocks may differ (RFC 6238, 5.2). */
const TOLERANCE = 1

/** A new secret for an authenticator app, in base32 without padding (RFC 4648, 6). */
export function newSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32
}

/**
 * The time step in which the code is valid (RFC 6238); `undefined` if it is wrong.
 * @param now milliseconds since the epoch
 */
export function stepOf(code: string, secret: string, now: number): number | undefined {
  // The library throws for characters of several bytes.
  if (!/^\d{6}$/.test(code)) return undefined
  const key = Secret.fromBase32(secret)
  const delta = TOTP.validate({ token: code, secret: key, timestamp: now, window: TOLERANCE })
  return delta === null ? undefined : TOTP.counter({ timestamp: now }) + delta
}

/** The URL that authenticator apps read from a QR code (Google Authenticator's key URI format). */
export function keyUri(secret: string, issuer: string, account: string): string {
  // A colon separates the issuer from the account. A long title would not fit in the QR code.
  const name = [...issuer.replaceAll(':', ' ')].slice(0, 40).join('')
  return new TOTP({ issuer: name, label: [...account].slice(0, 60).join(''), secret }).toString()
}
