import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Prefix of the folders, which `cms/rest/upload.ts` creates too. Other entries of the parent folder belong to other code. */
const PREFIX = 'upload-'
/** Milliseconds after which a file is considered abandoned by a process that died. */
const FORGOTTEN = 24 * 60 * 60 * 1000

/** Folder for files before they are accepted, each in its own subfolder. */
export function temporaryFolder(siteDir: string): string {
  return join(siteDir, 'tmp')
}

/** Writes bytes to a temporary file in its own folder while `work` uses it. */
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

/** Removes the files of crashed processes. */
export async function removeForgotten(siteDir: string): Promise<void> {
  const folder = temporaryFolder(siteDir)
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.startsWith(PREFIX)) continue
    const left = await stat(join(folder, name)).catch(() => undefined)
    if (left && Date.now() - left.mtimeMs > FORGOTTEN) await rm(join(folder, name), { recursive: true, force: true })
  }
}
