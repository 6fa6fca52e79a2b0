import { readdir } from 'node:fs/promises'

/** Names of the entries of a folder; empty if the folder does not exist. @throws any other error of reading it */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
