import { readdir } from 'node:fs/promises'

/** Names of the entries of a folder; none if there is no such folder. @throws what else keeps it from being read */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
