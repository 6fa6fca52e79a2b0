import { readdir } from 'node:fs/promises'
import { isCode } from '../../core/errors.ts'

/** Names of the entries of a folder; empty if the folder does not exist. @throws any other error of reading it */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isCode(error, 'ENOENT')) return []
    throw error
  }
}
