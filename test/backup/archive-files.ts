import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { lstat, mkdir, mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import type { ManifestFacts } from '../../plugins/backup/archive/format.ts'
import { type Archive, openArchive } from '../../plugins/backup/archive/open.ts'
import { fileSource } from '../../plugins/backup/archive/source.ts'
import { type ArchiveWriter, createArchiveWriter } from '../../plugins/backup/archive/writer.ts'
import type { Compression, SourceEntry } from '../../plugins/backup/types.ts'

export const facts: ManifestFacts = {
  hostVersion: '0.1.0',
  siteUrl: 'https://example.org',
  created: '2026-11-21T03:00:00.000Z',
  title: 'Nightly',
  contents: ['uploads'],
}

/** A temporary folder for a test; gone with `await using`. */
export async function temporaryFolder() {
  const path = await mkdtemp(join(tmpdir(), 'pentad-archive-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/** Writes files, `null` for an empty folder. */
export async function writeTree(
  folder: string,
  files: Readonly<Record<string, string | Buffer | null>>,
): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name)
    await mkdir(content === null ? path : join(path, '..'), { recursive: true })
    if (content !== null) await writeFile(path, content)
  }
}

/** What a scan of a folder finds, as the work list of an archive. */
export async function* scan(folder: string, prefix = 'files'): AsyncGenerator<SourceEntry> {
  for (const file of await readdir(folder)) {
    const path = join(folder, file)
    const name = `${prefix}/${file}`
    const stats = await lstat(path)
    const type = stats.isDirectory() ? 'directory' : stats.isSymbolicLink() ? 'symlink' : 'file'
    const linkTarget = type === 'symlink' ? await readlink(path) : undefined
    const { mode, mtimeMs } = stats
    yield {
      name,
      path,
      category: 'uploads',
      type,
      size: type === 'file' ? stats.size : 0,
      mode: mode & 0o7777,
      mtimeMs,
      linkTarget,
    }
    if (type === 'directory') yield* scan(path, name)
  }
}

/** Writes the work list of a folder. */
export async function writeList(
  workFolder: string,
  entries: AsyncIterable<SourceEntry> | Iterable<SourceEntry>,
): Promise<void> {
  await mkdir(workFolder, { recursive: true })
  const list = createWriteStream(join(workFolder, 'list.ndjson'))
  for await (const entry of entries) list.write(`${JSON.stringify(entry)}\n`)
  list.end()
  await finished(list)
}

/** Drives a writer in ticks to its end. */
export async function complete(writer: ArchiveWriter, path: string, tickMs = 2000) {
  while (!(await writer.makeSegments(AbortSignal.timeout(tickMs))).done);
  return finishArchive(writer, path, tickMs)
}

export async function finishArchive(writer: ArchiveWriter, path: string, tickMs = 2000) {
  for (;;) {
    const tick = await writer.finish({ path, facts }, AbortSignal.timeout(tickMs))
    if (tick.done) return tick
  }
}

/** Makes an archive of a folder; resolves to its path and what was warned about. */
export async function archiveOf(folder: string, tree: string, compression: Compression = 'gzip') {
  const workFolder = join(folder, `work-${compression}`)
  await writeList(workFolder, scan(tree))
  const path = join(folder, `archive.tar.${compression === 'gzip' ? 'gz' : 'zst'}`)
  const writer = createArchiveWriter({ folder: workFolder, compression })
  try {
    const result = await complete(writer, path)
    return { path, ...result, warnings: await Array.fromAsync(writer.warnings()) }
  } finally {
    await writer.close()
  }
}

/** Opens an archive file, gives it to `use` and closes it. */
export async function withArchive<Result>(
  path: string,
  workFolder: string,
  use: (archive: Archive) => Promise<Result>,
): Promise<Result> {
  const archive = await openArchive(await fileSource(path), { workFolder })
  try {
    return await use(archive)
  } finally {
    await archive.close()
  }
}

export async function verifyAll(archive: Archive): Promise<void> {
  while (!(await archive.verify(AbortSignal.timeout(2000))).done);
}

export async function extractAll(archive: Archive, folder: string, include?: readonly string[]): Promise<void> {
  const task = { folder, ...(include && { include }) }
  while (!(await archive.extract(task, AbortSignal.timeout(2000))).done);
}

/**
 * A folder as text that can be compared: names, kinds, permissions, times in seconds, sums, targets.
 *
 * @param wanted - Which of the names right below the folder.
 */
export async function describeTree(
  folder: string,
  prefix = '',
  wanted: (name: string) => boolean = () => true,
): Promise<string[]> {
  const lines: string[] = []
  for (const file of (await readdir(folder)).filter(wanted).sort()) {
    const path = join(folder, file)
    const stats = await lstat(path)
    const about = `${JSON.stringify(prefix + file)} ${(stats.mode & 0o777).toString(8)}`
    const time = Math.floor(stats.mtimeMs / 1000)
    if (stats.isSymbolicLink()) lines.push(`${about} -> ${await readlink(path)}`)
    else if (stats.isDirectory())
      lines.push(`${about} ${time} folder`, ...(await describeTree(path, `${prefix}${file}/`)))
    else
      lines.push(
        `${about} ${time} ${createHash('sha256')
          .update(await readFile(path))
          .digest('hex')}`,
      )
  }
  return lines
}

/** Runs a standard tool and returns what it says on both streams. */
export function tool(command: string, args: readonly string[], cwd?: string): string {
  return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], ...(cwd && { cwd }) })
}
