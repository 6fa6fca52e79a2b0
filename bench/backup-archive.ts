/**
 * Creates or unpacks one archive and prints time and memory as JSON, in its own process, so that the peak memory is that of
 * this work: `node backup-archive.ts make gzip|zstd <tree> <archive>`, `node backup-archive.ts unpack <archive> <folder>`.
 */
import { createWriteStream } from 'node:fs'
import { lstat, mkdir, readdir } from 'node:fs/promises'
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Compression, SourceEntry } from '../plugins/backup/types.ts'

/** As the `pentad` command does. */
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/pentad'))

/** Time and memory of one run. */
export interface Cost {
  /** Wall-clock time in seconds. */
  readonly seconds: number
  /** Wall-clock time for the segments alone, in seconds; 0 for unpacking. */
  readonly written: number
  /** Peak memory of the process with all its threads, in MB. */
  readonly peak: number
  /** User and system CPU time in seconds. */
  readonly processor: number
}

/** Duration of a tick, in ms. */
const TICK = 2000

const [what, ...args] = process.argv.slice(2)
const start = performance.now()
let written = 0
if (what === 'make') {
  const [compression, tree = '', path = ''] = args
  await make(compression === 'zstd' ? 'zstd' : 'gzip', tree, path)
} else {
  const [path = '', folder = ''] = args
  await unpack(path, folder)
}
const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
const cost: Cost = {
  seconds: since(start),
  written,
  peak: Math.round((maxRSS * 1024) / 1e6),
  processor: (userCPUTime + systemCPUTime) / 1e6,
}
console.log(JSON.stringify(cost))

async function make(compression: Compression, tree: string, path: string): Promise<void> {
  const { createArchiveWriter } = await import('../plugins/backup/archive/writer.ts')
  const folder = `${path}.work`
  await mkdir(folder, { recursive: true })
  await pipeline(
    scan(tree),
    async function* (entries: AsyncIterable<SourceEntry>) {
      for await (const entry of entries) yield `${JSON.stringify(entry)}\n`
    },
    createWriteStream(join(folder, 'list.ndjson')),
  )
  const writer = createArchiveWriter({ folder, compression })
  const begun = performance.now()
  while (!(await writer.makeSegments(AbortSignal.timeout(TICK))).done);
  written = since(begun)
  const facts = { hostVersion: '', siteUrl: '', created: new Date(0).toISOString(), title: '', contents: [] }
  while (!(await writer.finish({ path, facts }, AbortSignal.timeout(TICK))).done);
  await writer.close()
}

async function unpack(path: string, folder: string): Promise<void> {
  const [{ openArchive }, { fileSource }] = await Promise.all([
    import('../plugins/backup/archive/open.ts'),
    import('../plugins/backup/archive/source.ts'),
  ])
  const archive = await openArchive(await fileSource(path), { workFolder: `${path}.reading` })
  while (!(await archive.extract({ folder }, AbortSignal.timeout(TICK))).done);
  await archive.close()
}

async function* scan(folder: string, prefix = 'files/uploads'): AsyncGenerator<SourceEntry> {
  for (const file of await readdir(folder)) {
    const path = join(folder, file)
    const stats = await lstat(path)
    const { size, mode, mtimeMs } = stats
    const type = stats.isDirectory() ? 'directory' : 'file'
    const entry = { name: `${prefix}/${file}`, path, category: 'uploads', type, mode: mode & 0o7777, mtimeMs } as const
    yield { ...entry, size: type === 'file' ? size : 0 }
    if (type === 'directory') yield* scan(path, entry.name)
  }
}

function since(moment: number): number {
  return (performance.now() - moment) / 1000
}
