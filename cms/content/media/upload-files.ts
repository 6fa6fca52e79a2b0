import { link, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isCode } from '../../../core/errors.ts'
import { isPlainFile } from './upload-path.ts'

/** A file on disk, or bytes. */
export type Source = string | Uint8Array

/** Exists if a restore replaced the folder: at the next start, it replaces the files in the bucket. */
export const UPLOADS_IMPORT = 'uploads.import'

/**
 * Uploaded files. Files are identified by their paths relative to the uploads folder: `2026/01/map.png`. Without a bucket, the folder contains all of them;
 * with one, it is a cache of this node, and can be emptied at any time.
 */
export interface UploadFiles {
  /** The folder on this machine. */
  readonly folder: string
  /**
   * Call it before reading a file: fetches it from the bucket unless the copy on this machine is up to date.
   * @returns `false` if the bucket does not contain the file
   * @throws RestError 503 `storage_unavailable`
   */
  pull(file: string): Promise<boolean>
  /**
   * Call it before writing a file on this machine: stores it in the bucket. @throws RestError 503 `storage_unavailable`
   * @param source its content, or the path of a temporary file that you then rename to it
   */
  push(source: Source, file: string): Promise<void>
  /** Moves a file on this machine to the name of a new upload; `false` if the name is taken, on any node. */
  place(from: string, file: string): Promise<boolean>
  /** Names of the files and folders in a folder that start with `start`. */
  names(folder: string, start: string): Promise<string[]>
  /** Sizes of the files in a folder by name. */
  sizes(folder: string): Promise<Map<string, number>>
  /**
   * Completes the folder on this machine for a backup: fetches missing files, and deletes files that other nodes have deleted.
   * @throws RestError 503 `storage_unavailable`
   */
  pullAll(signal: AbortSignal): Promise<void>
  /** Does nothing if there is no such file. */
  remove(file: string): Promise<void>
}

/** A folder of the site that all nodes share. */
export type SharedFiles = Omit<UploadFiles, 'pullAll'>

/** Whether an upload exists, which is on this machine then. */
export async function isUploaded(files: UploadFiles, file: string): Promise<boolean> {
  return (await files.pull(file)) && isPlainFile(files.folder, file)
}

/** Without a bucket: all files are on this machine. */
export function createLocalFiles(siteDir: string, name = 'uploads'): UploadFiles {
  const folder = join(siteDir, name)
  return {
    folder,
    pull: async () => true,
    push: async () => {},
    pullAll: async () => {},
    place: (from, file) => moveUnlessThere(from, join(folder, file)),
    async names(below, start) {
      const names = await readdir(join(folder, below)).catch((): string[] => [])
      // Some file systems are case-insensitive.
      return names.filter((name) => name.toLowerCase().startsWith(start.toLowerCase()))
    },
    async sizes(below) {
      const names = await readdir(join(folder, below)).catch((): string[] => [])
      return new Map(
        await Promise.all(names.map(async (name) => [name, (await stat(join(folder, below, name))).size] as const)),
      )
    },
    async remove(file) {
      if (await isPlainFile(folder, file)) await rm(join(folder, file), { force: true })
    },
  }
}

/** Moves without replacing; `false` if the target exists. */
async function moveUnlessThere(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false
    // File systems without hard links: the name is claimed by an empty file, which the complete file then replaces.
    if (!['EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK'].some((code) => isCode(error, code))) throw error
  }
  try {
    await (await open(to, 'wx')).close()
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false
    throw error
  }
  await rename(from, to)
  return true
}
