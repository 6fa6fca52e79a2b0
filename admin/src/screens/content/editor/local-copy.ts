import { pageData } from '../../../page-data.ts'
import type { Changes } from './fields.ts'

/** Unsaved input, stored in this browser. */
export interface LocalCopy {
  readonly changes: Changes
  /** ISO 8601. */
  readonly at: string
}

const keyOf = (type: string, id: number | undefined) => `pentad-editor:${pageData.user.id}:${type}:${id ?? 'new'}`

/** One copy per user and post. Writing continues if the browser can't store it. */
export function keepLocally(type: string, id: number | undefined, copy: LocalCopy): void {
  try {
    localStorage.setItem(keyOf(type, id), JSON.stringify(copy))
  } catch {
    // The storage is full or disabled.
  }
}

export function forgetLocally(type: string, id: number | undefined): void {
  try {
    localStorage.removeItem(keyOf(type, id))
  } catch {
    // The storage is disabled.
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
