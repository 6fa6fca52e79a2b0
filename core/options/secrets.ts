import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from 'node:crypto'
import { isJsonRecord } from './json.ts'
import type { SiteKey } from './site-key.ts'
import type { JsonValue, Vault } from './types.ts'

/** What stands for a secret that is set, wherever settings are shown. Sent back, it leaves the secret as it is. */
export const MASK = '********'

const SEALED = '$sealed'
/** AES-256-GCM with the nonce and tag lengths of NIST SP 800-38D. Bytes. */
const NONCE_BYTES = 12
const TAG_BYTES = 16

export function createVault(siteKey: SiteKey): Vault {
  const key = createSecretKey(siteKey.derive('settings secrets'))
  return {
    seal(value, place) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(place))
      const text = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()])
      return { [SEALED]: Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64') }
    },
    open(sealed, place) {
      const bytes = Buffer.from(sealedText(sealed) ?? '', 'base64')
      const nonce = bytes.subarray(0, NONCE_BYTES)
      const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(place))
        .setAuthTag(tag)
      const text = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
      return JSON.parse(text.toString('utf8'))
    },
  }
}

export function isSealed(value: JsonValue | undefined): boolean {
  return sealedText(value) !== undefined
}

/** An empty secret is none: it is shown as it is, so that the owner sees that it is missing. */
export function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}

function sealedText(value: JsonValue | undefined): string | undefined {
  const text = isJsonRecord(value) ? value[SEALED] : undefined
  return typeof text === 'string' ? text : undefined
}
