/**
 * What a backup costs beside the tools that it competes with, on a tree of 2 GB: many small files, some large, some
 * that no compression makes smaller. Made once below the temporary folder.
 *
 * `npm run bench:backup`, or `node bench/backup.ts 200` for a tree of 200 MB.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createWriteStream, existsSync } from 'node:fs'
import { lstat, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { openArchive } from '../plugins/backup/archive/open.ts'
import { fileSource } from '../plugins/backup/archive/source.ts'
import { createArchiveWriter } from '../plugins/backup/archive/writer.ts'
import type { Compression, SourceEntry } from '../plugins/backup/types.ts'

const megabytes = Number(process.argv[2] ?? 2000)
const home = join(tmpdir(), `pentad-bench-backup-${megabytes}`)
const tree = join(home, 'tree')
const tick = 2000

/** The same bytes at every run: noise from a counter, or words of a small vocabulary. */
function noise(seed: string, bytes: number): Buffer {
  const chunks: Buffer[] = []
  for (let length = 0, block = 0; length < bytes; length += 32, block++) {
    chunks.push(createHash('sha256').update(`${seed}:${block}`).digest())
  }
  return Buffer.concat(chunks).subarray(0, bytes)
}

function prose(seed: string, bytes: number): Buffer {
  const letters = noise(seed, Math.ceil(bytes / 4))
  const words: string[] = []
  for (let length = 0, at = 0; length < bytes; at = (at + 2) % (letters.length - 1)) {
    const word = `${((letters[at] ?? 0) * 7919).toString(36)}${(letters[at + 1] ?? 0) < 64 ? '. ' : ' '}`
    words.push(word)
    length += word.length
  }
  return Buffer.from(words.join('')).subarray(0, bytes)
}

/** A fifth in small texts, two fifths in images that are dense already, two fifths in large files of both kinds. */
async function makeTree(): Promise<void> {
  if (existsSync(tree)) return
  console.log(`Making a tree of ${megabytes} MB in ${home}`)
  const fresh = `${tree}.new`
  await rm(fresh, { recursive: true, force: true })
  const dense = noise('dense', 8_000_000)
  const text = prose('text', 8_000_000)
  const slice = (from: Buffer, number: number, bytes: number) => {
    const at = (number * 7919) % (from.length - bytes)
    return Buffer.concat([Buffer.from(`${number}\n`), from.subarray(at, at + bytes)])
  }
  const files = async (kind: string, from: Buffer, total: number, bytes: number) => {
    for (let number = 0; number < total / bytes; number++) {
      const folder = join(fresh, kind, String(Math.floor(number / 200)))
      if (number % 200 === 0) await mkdir(folder, { recursive: true })
      await writeFile(join(folder, `${number}.bin`), slice(from, number, bytes))
    }
  }
  const share = megabytes * 200_000
  await files('texts', text, share, 8_000)
  await files('images', dense, 2 * share, 150_000)
  for (const [kind, from] of [
    ['video', dense],
    ['log', text],
  ] as const) {
    const file = createWriteStream(join(fresh, `${kind}.bin`))
    for (let written = 0, number = 0; written < share; number++) {
      const chunk = slice(from, number, 4_000_000)
      if (!file.write(chunk)) await new Promise<void>((resolve) => file.once('drain', () => resolve()))
      written += chunk.length
    }
    file.end()
    await finished(file)
  }
  await rename(fresh, tree)
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

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}

async function shell(command: string): Promise<void> {
  const child = spawn('sh', ['-c', command], { stdio: 'inherit' })
  await new Promise<void>((resolve, reject) =>
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${command}: ${code}`)))),
  )
}

/** The most memory this process holds, sampled; V8 and the threads together. */
function watchMemory() {
  let peak = 0
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }, 20)
  return () => {
    clearInterval(timer)
    return Math.round(peak / 1e6)
  }
}

async function ours(compression: Compression) {
  const work = join(home, `work-${compression}`)
  const path = join(home, `ours-${compression}`)
  for (const old of [work, path, `${path}.part`]) await rm(old, { recursive: true, force: true })
  await mkdir(work, { recursive: true })
  const peak = watchMemory()
  let written = 0
  const whole = await seconds(async () => {
    const list = createWriteStream(join(work, 'list.ndjson'))
    for await (const entry of scan(tree)) list.write(`${JSON.stringify(entry)}\n`)
    list.end()
    await finished(list)
    const writer = createArchiveWriter({ folder: work, compression })
    written = await seconds(async () => {
      while (!(await writer.makeSegments(AbortSignal.timeout(tick))).done);
    })
    const task = {
      path,
      facts: { hostVersion: '', siteUrl: '', created: new Date(0).toISOString(), title: '', contents: [] },
    }
    while (!(await writer.finish(task, AbortSignal.timeout(tick))).done);
    await writer.close()
  })
  return { whole, written, peak: peak(), path, size: (await stat(path)).size }
}

async function restore(path: string): Promise<{ took: number; peak: number }> {
  const folder = join(home, 'restored')
  const workFolder = join(home, 'reading')
  for (const old of [folder, workFolder]) await rm(old, { recursive: true, force: true })
  const peak = watchMemory()
  const took = await seconds(async () => {
    const archive = await openArchive(await fileSource(path), { workFolder })
    while (!(await archive.extract({ folder }, AbortSignal.timeout(tick))).done);
    await archive.close()
  })
  await rm(folder, { recursive: true })
  return { took, peak: peak() }
}

/** At the same low priority that our threads take, so that other work on the machine slows both alike. */
async function theirs(command: string): Promise<number> {
  return seconds(() => shell(`renice -n 10 $$ > /dev/null; ${command}`))
}

await makeTree()
await shell(`tar -cf - -C ${tree} . > /dev/null`)
const times = (value: number) => `${value.toFixed(2)} ×`
const took = (value: number) => `${value.toFixed(1)} s`

for (const [compression, peer, aim] of [
  ['gzip', 'gzip -6', 1.5],
  ['zstd', 'zstd -q -3', 0.8],
] as const) {
  const peerFile = join(home, `theirs-${compression}`)
  const peerTook = await theirs(`tar -cf - -C ${tree} . | ${peer} > ${peerFile}`)
  const { whole, written, peak, path, size } = await ours(compression)
  const peerSize = (await stat(peerFile)).size
  console.log(`\n${compression}: tar | ${peer} ${took(peerTook)}, ${Math.round(peerSize / 1e6)} MB`)
  console.log(`  written      ${took(written)}  ${times(peerTook / written)}  (aim ${aim})`)
  console.log(`  and checked  ${took(whole)}  ${times(peerTook / whole)}  scan, write, read back, publish`)
  console.log(`  ${Math.round(size / 1e6)} MB, peak memory ${peak} MB (aim below 200)`)
  await mkdir(join(home, 'unpacked'), { recursive: true })
  const unpack = compression === 'gzip' ? '-xzf' : '--zstd -xf'
  const unpacked = await theirs(`tar ${unpack} ${peerFile} -C ${join(home, 'unpacked')}`)
  await rm(join(home, 'unpacked'), { recursive: true })
  const restored = await restore(path)
  console.log(
    `  restored     ${took(restored.took)}  ${times(unpacked / restored.took)}  tar ${unpack} ${took(unpacked)}, peak ${restored.peak} MB`,
  )
  for (const old of [peerFile, path, join(home, `work-${compression}`), join(home, 'reading')]) {
    await rm(old, { recursive: true, force: true })
  }
}
