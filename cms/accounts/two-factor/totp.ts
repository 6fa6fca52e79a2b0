import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** Lifetime of a code in seconds (RFC 6238, 4.1), and its length; authenticator apps support no other values everywhere. */
const STEP = 30
const DIGITS = 6
/** Size of a secret in bytes (RFC 4226, 4). */
const SECRET_BYTES = 20
/** Steps by which the clocks may differ (RFC 6238, 5.2). */
const TOLERANCE = 1
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** A new secret for an authenticator app, in base32 without padding (RFC 4648, 6). */
export function newSecret(): string {
  return toBase32(randomBytes(SECRET_BYTES))
}

/** 5 bits per letter; no padding is needed for a multiple of 5 bytes. */
export function toBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return bits.replace(/.{5}/g, (five) => BASE32[Number.parseInt(five, 2)] ?? '')
}

function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/**
 * The time step in which the code is valid (RFC 6238); `undefined` if it is wrong.
 * @param now milliseconds since the epoch
 */
export function stepOf(code: string, secret: string, now: number): number | undefined {
  const key = fromBase32(secret)
  const current = Math.floor(now / 1000 / STEP)
  const given = Buffer.from(code)
  for (let step = current - TOLERANCE; step <= current + TOLERANCE; step++) {
    const valid = Buffer.from(codeAt(step, key))
    if (given.length === valid.length && timingSafeEqual(given, valid)) return step
  }
  return undefined
}

/** The code of a time step: HOTP with the step as the counter (RFC 4226, 5.3). */
function codeAt(step: number, key: Buffer): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', key).update(counter).digest()
  const offset = digest.readUInt8(digest.length - 1) & 0xf
  const number = digest.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

/** The URL that authenticator apps read from a QR code (Google Authenticator's key URI format). */
export function keyUri(secret: string, issuer: string, account: string): string {
  // A colon separates the issuer from the account. A long title would not fit in the QR code.
  const name = issuer.replaceAll(':', ' ').slice(0, 40)
  const label = [name, account.slice(0, 60)]
    .filter((part) => part !== '')
    .map(encodeURIComponent)
    .join(':')
  return `otpauth://totp/${label}?${new URLSearchParams({ secret, ...(name && { issuer: name }) })}`.replaceAll(
    '+',
    '%20',
  )
}
