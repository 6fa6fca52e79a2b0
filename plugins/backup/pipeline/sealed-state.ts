import type { ExtensionHost } from 'pentad'
import { z } from 'zod'

const PLACE = 'state of an upload'

const sealedSchema = z.object({ $sealed: z.string() })

type Vault = ExtensionHost['vault']

/** What a location keeps of an upload, as it is stored: it may hold a secret, as the address of a Google Drive session is. */
export function sealState(vault: Vault, state: unknown): unknown {
  const text = JSON.stringify(state)
  return text === undefined ? undefined : vault.seal(text, PLACE)
}

/** Opens it; one that an earlier version stored is returned as it is, and `undefined` for one of another site's key. */
export function openState(vault: Vault, stored: unknown): unknown {
  const { data: sealed } = sealedSchema.safeParse(stored)
  if (!sealed) return stored
  try {
    return JSON.parse(String(vault.open(sealed, PLACE)))
  } catch {
    return undefined
  }
}

/** Whether an earlier version stored it as it is. */
export function isPlainState(stored: unknown): boolean {
  return stored !== undefined && stored !== null && !sealedSchema.safeParse(stored).success
}
