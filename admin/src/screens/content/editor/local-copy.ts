import { pageData } from '../../../page-data.ts'
import type { Changes } from './fields.ts'

/** What was typed and not saved, as this browser keeps it. */
export interface LocalCopy {
  readonly changes: Changes
  /** ISO 8601. */
  readonly at: string
}

const keyOf = (type: string, id: number | undefined) => `pentad-editor:${pageData.user.id}:${type}:${id ?? 'new'}`

/** Each user and post have one. A browser that keeps nothing is no reason to stop writing. */
export function keepLocally(type: string, id: number | undefined, copy: LocalCopy): void {
  try {
    localStorage.setItem(keyOf(type, id), JSON.stringify(copy))
  } catch {
    // Full, or switched off.
  }
}

export function forgetLocally(type: string, id: number | undefined): void {
  try {
    localStorage.removeItem(keyOf(type, id))
  } catch {
    // Switched off.
  }
}

export function localCopy(type: string, id: number | undefined): LocalCopy | undefined {
  try {
    const text = localStorage.getItem(keyOf(type, id))
    return text === null ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}
