import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { namesIn } from './missing-files.ts'

const PREFIX = 'archive-scratch-'
/** Age in ms after which a folder is considered abandoned by a crashed process. */
const ABANDONED = 24 * 3600_000

/** Runs work with a temporary folder, which is removed afterward. */
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

/** Removes folders of crashed processes. */
export async function sweepTempFolders(siteDir: string): Promise<void> {
  const tmp = join(siteDir, 'tmp')
  for (const name of await namesIn(tmp)) {
    if (!name.startsWith(PREFIX)) continue
    const stats = await stat(join(tmp, name)).catch(() => undefined)
    if (stats && stats.mtimeMs < Date.now() - ABANDONED) await rm(join(tmp, name), { recursive: true, force: true })
  }
}
