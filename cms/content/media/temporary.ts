import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Of the names of the folders, which `cms/rest/upload.ts` makes too. What else lies beside them has owners of its own. */
const PREFIX = 'upload-'
/** Milliseconds after which nobody comes back to a file: its process has died. */
const FORGOTTEN = 24 * 60 * 60 * 1000

/** Where files lie until they are taken in, each in a folder of its own. */
export function temporaryFolder(siteDir: string): string {
  return join(siteDir, 'tmp')
}

/** Bytes as a file in a folder of its own, for as long as it is used. */
export async function withFile<Result>(
  siteDir: string,
  bytes: Uint8Array,
  use: (path: string) => Promise<Result>,
): Promise<Result> {
  await mkdir(temporaryFolder(siteDir), { recursive: true })
  const folder = await mkdtemp(join(temporaryFolder(siteDir), PREFIX))
  try {
    const path = join(folder, 'file')
    await writeFile(path, bytes)
    return await use(path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Removes the files that processes that died have left. */
export async function removeForgotten(siteDir: string): Promise<void> {
  const folder = temporaryFolder(siteDir)
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.startsWith(PREFIX)) continue
    const left = await stat(join(folder, name)).catch(() => undefined)
    if (left && Date.now() - left.mtimeMs > FORGOTTEN) await rm(join(folder, name), { recursive: true, force: true })
  }
}
