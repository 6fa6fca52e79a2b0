import { createPublicKey, hash, timingSafeEqual, verify } from 'node:crypto'
import { z } from 'zod'
import { conflict } from './errors.ts'

/** Subresource Integrity, as registries publish it: `sha512-…`. https://www.w3.org/TR/SRI/ */
export function integrityOf(content: Buffer): string {
  return `sha512-${hash('sha512', content, 'base64')}`
}

/**
 * Compares a file with its expected checksum.
 *
 * @param expected - One or several checksums; only sha512 counts.
 * @throws RestError `package_conflict` if they differ, or if there is no sha512 checksum
 */
export function checkIntegrity(content: Buffer, expected: string, name: string): void {
  const wanted = expected.split(/\s+/).filter((one) => one.startsWith('sha512-'))
  if (wanted.length === 0) throw conflict(`There is no SHA-512 checksum of ${name}, so it cannot be verified.`)
  const actual = Buffer.from(integrityOf(content))
  const isSame = wanted.some((one) => {
    const bytes = Buffer.from(one.replace(/\?.*$/, ''))
    return bytes.length === actual.length && timingSafeEqual(bytes, actual)
  })
  if (!isSame) throw conflict(`The checksum of ${name} does not match: the file was changed after it was published.`)
}

export const signaturesSchema = z.array(z.object({ keyid: z.string(), sig: z.string() }))

/** https://docs.npmjs.com/about-registry-signatures */
export const keysSchema = z.object({
  keys: z.array(z.object({ keyid: z.string(), key: z.string(), expires: z.string().nullish() })),
})

/**
 * Checks the registry's signature of a version, where the registry signs its packages.
 *
 * @returns the ID of the key
 * @throws RestError `package_conflict` if no signature is valid
 */
export function checkSignature(
  subject: { readonly name: string; readonly version: string; readonly integrity: string; readonly published: number },
  signatures: z.output<typeof signaturesSchema>,
  { keys }: z.output<typeof keysSchema>,
): string {
  const message = Buffer.from(`${subject.name}@${subject.version}:${subject.integrity}`)
  const valid = signatures.find(({ keyid, sig }) => {
    const known = keys.find((key) => key.keyid === keyid)
    // An expired key is valid for what was published before.
    if (!known || (known.expires && Date.parse(known.expires) < subject.published)) return false
    const key = createPublicKey({ key: Buffer.from(known.key, 'base64'), format: 'der', type: 'spki' })
    return verify('sha256', message, key, Buffer.from(sig, 'base64'))
  })
  if (!valid) {
    throw conflict(`The registry’s signature of ${subject.name} ${subject.version} is invalid. It was not installed.`)
  }
  return valid.keyid
}
