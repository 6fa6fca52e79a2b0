import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder and those above it; harmless where it is there.
 *
 * Step by step, since `mkdirSync` with `recursive` never returns in Node 24 below a folder that takes no folders and
 * says of them that they don't exist, such as `/proc`.
 *
 * @throws Error naming the folder that can't be made
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
    // Another process may have made it at the same moment.
    if (existsSync(folder)) return
    throw new Error(`The folder ${folder} can't be created: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    })
  }
}
