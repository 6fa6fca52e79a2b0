import type { ExtensionHost } from 'pentad'
import { z } from 'zod'

const PLACE = 'state of an upload'

const sealedSchema = z.object({ $sealed: z.string() })

type Vault = ExtensionHost['vault']

/**
 * Encrypts the state of an upload for storage, since it may contain a secret, such as the URL of a Google Drive
 * session.
 */
export function sealState(vault: Vault, state: unknown): unknown {
  const text = JSON.stringify(state)
  return text === undefined ? undefined : vault.seal(text, PLACE)
}

/**
 * Decrypts it. A state stored unencrypted by an earlier version is returned as it is; `undefined` if it was encrypted
 * with another site's key.
 */
export function openState(vault: Vault, stored: unknown): unknown {
  const { data: sealed } = sealedSchema.safeParse(stored)
  if (!sealed) return stored
  try {
    return JSON.parse(String(vault.open(sealed, PLACE)))
  } catch {
    return undefined
  }
}

/** Whether an earlier version stored it unencrypted. */
export function isPlainState(stored: unknown): boolean {
  return stored !== undefined && stored !== null && !sealedSchema.safeParse(stored).success
}
