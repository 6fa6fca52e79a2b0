import { statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder to write into that is not on the file system of temporary files, so that no rename leads from one to the other. */
export function otherFileSystem(): string {
  const deviceOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.dev
  // In most Linuxes one lies in memory, the other on the disk; the packages are anywhere.
  const places = ['/dev/shm', '/var/tmp', join(import.meta.dirname, '../../node_modules')]
  const found = places.find((path) => ![undefined, deviceOf(tmpdir())].includes(deviceOf(path)))
  if (found === undefined) throw new Error('There is one file system only; set TMPDIR to a folder on another one.')
  return found
}
