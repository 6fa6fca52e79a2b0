import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Creates a folder and its parents, unless they exist.
 *
 * One level at a time, because recursive `mkdirSync` of Node 24 never returns under a folder such as `/proc`, which reports `ENOENT` for
 * new folders.
 *
 * @throws Error naming the folder that cannot be created
 */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) {
    if (!statSync(folder).isDirectory()) throw new Error(`${folder} is not a folder.`)
    return
  }
  makeFolder(dirname(folder))
  try {
    mkdirSync(folder)
  } catch (error) {
    // Another process may have created it in the meantime.
    if (existsSync(folder)) return
    throw new Error(`The folder ${folder} can't be created: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    })
  }
}
