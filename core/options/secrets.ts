import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from 'node:crypto'
import { isJsonRecord } from './json.ts'
import type { SiteKey } from './site-key.ts'
import type { JsonValue, Vault } from './types.ts'

/** Masks a stored secret wherever settings are displayed. If it is sent back, the secret stays unchanged. */
export const MASK = '********'

const SEALED = '$sealed'
/** Nonce and tag lengths of AES-256-GCM in bytes (NIST SP 800-38D). */
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

/** Whether a secret has a value. An empty one is not masked, so administrators can see that it is missing. */
export function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}

function sealedText(value: JsonValue | undefined): string | undefined {
  const text = isJsonRecord(value) ? value[SEALED] : undefined
  return typeof text === 'string' ? text : undefined
}
