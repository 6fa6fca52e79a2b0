import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Manifest } from './format.ts'

/** The key that archives are signed with, derived from `secret.key`. Only this site has it. */
export function signingKeyOf({ key }: { key(purpose: string): Buffer }): Buffer {
  return key('archives')
}

/**
 * Signs a manifest and, through its checksums, the whole archive: the index covers every byte and the SHA-256 of each
 * file. The signature is symmetric (HMAC with SHA-256, RFC 2104): only the site itself can create and verify it.
 *
 * @returns hexadecimal
 */
export function sign(manifest: Manifest, key: Buffer): string {
  return createHmac('sha256', key).update(signedText(manifest)).digest('hex')
}

/** Whether the manifest is signed with this key. `false` without a signature. */
export function isSignedWith(manifest: Manifest, key: Buffer): boolean {
  if (manifest.signature === undefined) return false
  const [given, wanted] = [Buffer.from(manifest.signature, 'hex'), Buffer.from(sign(manifest, key), 'hex')]
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

/** All fields except the signature in canonical order, since an archive may store them in any order. */
function signedText({ signature: _, ...manifest }: Manifest): string {
  return JSON.stringify(inOrder(manifest))
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return members.map(([name, one]) => [name, inOrder(one)])
}
