/** File system helpers for paths that may not exist. */
import { lstat, readdir } from 'node:fs/promises'

/** Whether the path exists. Does not follow links. */
export async function pathExists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}

/** Names in a folder; empty if the folder does not exist. */
export async function namesIn(folder: string): Promise<string[]> {
  return (await undefinedIfMissing(readdir(folder))) ?? []
}

/** The result of a file operation, or `undefined` if the file does not exist. */
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
