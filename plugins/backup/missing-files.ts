/** Whether something lies on the disk, where it is no failure if it does not. */
import { lstat, readdir } from 'node:fs/promises'

/** A link counts as itself, wherever it points. */
export async function pathExists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}

/** Names of what lies in a folder; none if there is no such folder. */
export async function namesIn(folder: string): Promise<string[]> {
  return (await undefinedIfMissing(readdir(folder))) ?? []
}

/** What the work resolves to; `undefined` if what it is about is not there. */
export async function undefinedIfMissing<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

export function isNotFound(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}
