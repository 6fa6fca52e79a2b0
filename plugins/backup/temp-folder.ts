import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { namesIn } from './missing-files.ts'

const PREFIX = 'archive-scratch-'
/** Milliseconds after which a folder belongs to nobody any more: its process was killed. */
const ABANDONED = 24 * 3600_000

/** Lends a folder for as long as an archive is read. */
export async function withTempFolder<Result>(
  siteDir: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const tmp = join(siteDir, 'tmp')
  await mkdir(tmp, { recursive: true, mode: 0o700 })
  const folder = await mkdtemp(join(tmp, PREFIX))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Removes the folders of processes that were killed. */
export async function sweepTempFolders(siteDir: string): Promise<void> {
  const tmp = join(siteDir, 'tmp')
  for (const name of await namesIn(tmp)) {
    if (!name.startsWith(PREFIX)) continue
    const stats = await stat(join(tmp, name)).catch(() => undefined)
    if (stats && stats.mtimeMs < Date.now() - ABANDONED) await rm(join(tmp, name), { recursive: true, force: true })
  }
}
