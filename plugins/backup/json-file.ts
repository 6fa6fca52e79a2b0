import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { writeAtomically } from 'pentad'
import { isNotFound } from './missing-files.ts'

/** Writes a file whole or not at all, flushed, for its owner's eyes only. Its folder is made if need be. */
export async function writeJson(path: string, value: unknown): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await writeAtomically(path, JSON.stringify(value), { flush: true })
}

/** The value in a file; `undefined` if there is none, or none that can be read. */
export async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    if (error instanceof SyntaxError || isNotFound(error)) return undefined
    throw error
  }
}

/** Makes a file that must not be there yet, whole: of all who try, one succeeds. */
export async function createJson(path: string, value: unknown): Promise<boolean> {
  const own = `${path}.${randomBytes(6).toString('hex')}.new`
  await writeJson(own, value)
  try {
    await link(own, path)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  } finally {
    await rm(own, { force: true })
  }
}
