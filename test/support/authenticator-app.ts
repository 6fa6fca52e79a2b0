import { createHmac } from 'node:crypto'

/** What an authenticator app shows, computed with other code than the product's. */
export function appCode(secret: string, now: number): string {
  const bits = [...secret].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  )
  const key = Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const counter = Buffer.from(
    Math.floor(now / 30_000)
      .toString(16)
      .padStart(16, '0'),
    'hex',
  )
  const digest = createHmac('sha1', key).update(counter).digest('hex')
  const offset = 2 * Number.parseInt(digest.slice(-1), 16)
  return String((Number.parseInt(digest.slice(offset, offset + 8), 16) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}
