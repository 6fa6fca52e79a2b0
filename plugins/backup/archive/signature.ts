import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Manifest } from './format.ts'

/** What an archive is signed with: a key that only this site has. A new `secret.key` brings a new one. */
export function signingKeyOf({ key }: { key(purpose: string): Buffer }): Buffer {
  return key('archives')
}

/**
 * Signs a manifest, and through its checksums the whole archive: the index names each byte of it and the SHA-256 of each
 * file. Whoever can check the signature could also make it, and that is only the site itself (HMAC with SHA-256, RFC 2104).
 *
 * @returns hexadecimal
 */
export function sign(manifest: Manifest, key: Buffer): string {
  return createHmac('sha256', key).update(signedText(manifest)).digest('hex')
}

/** Whether a manifest carries the signature of this key. One without a signature does not. */
export function isSignedWith(manifest: Manifest, key: Buffer): boolean {
  if (manifest.signature === undefined) return false
  const [given, wanted] = [Buffer.from(manifest.signature, 'hex'), Buffer.from(sign(manifest, key), 'hex')]
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

/** Every field but the signature, in an order of its own: an archive may say them in any. */
function signedText({ signature: _, ...manifest }: Manifest): string {
  return JSON.stringify(inOrder(manifest))
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return members.map(([name, one]) => [name, inOrder(one)])
}
