import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { writeAtomically } from 'pentad'
import { isNotFound } from './missing-files.ts'

/** Writes a file atomically, flushed and readable only by its owner. Creates the folder if necessary. */
export async function writeJson(path: string, value: unknown): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await writeAtomically(path, JSON.stringify(value), { flush: true })
}

/** Reads a file; `undefined` if it is missing or not valid JSON. */
export async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    if (error instanceof SyntaxError || isNotFound(error)) return undefined
    throw error
  }
}

/**
 * Creates a file atomically if it does not exist. Of concurrent callers, exactly one succeeds.
 *
 * @param place - Moves a file to the path; `false` if that exists.
 */
export async function createJson(
  path: string,
  value: unknown,
  place: (from: string) => Promise<boolean> = (from) => linkTo(from, path),
): Promise<boolean> {
  const own = `${path}.${randomBytes(6).toString('hex')}.new`
  await writeJson(own, value)
  try {
    return await place(own)
  } finally {
    await rm(own, { force: true })
  }
}

async function linkTo(from: string, path: string): Promise<boolean> {
  try {
    await link(from, path)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}
