/**
 * What a backup costs beside the tools that it competes with, on a tree of 2 GB: many small files, some large, some
 * that no compression makes smaller. Then what the visitors of a site notice of it.
 *
 * `npm run bench:backup`, or `node bench/backup.ts 200` for a tree of 200 MB; it is made once below the temporary folder.
 */
import { execFile } from 'node:child_process'
import { mkdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Cost } from './backup-archive.ts'
import { compareRequests } from './backup-requests.ts'
import { makeTree } from './backup-tree.ts'
import { printAim } from './load.ts'

const run = promisify(execFile)
const megabytes = Number(process.argv[2] ?? 2000)
const home = join(tmpdir(), `pentad-bench-backup-${megabytes}`)
const tree = join(home, 'tree')
const results = join(home, 'results')

/** Seconds on the clock, and of processor time with what the system did: the latter hardly depends on other work. */
type Time = Pick<Cost, 'seconds' | 'processor'>

/** At the low priority that our threads take, so that other work on the machine slows both alike. */
async function theirs(command: string): Promise<Time> {
  const start = performance.now()
  const { stdout } = await run('sh', ['-c', `renice -n 10 $$ > /dev/null; { ${command}; } && times`])
  // POSIX sh, "times": its own times in the first line, those of its children in the second.
  const spent = stdout.split('\n')[1]?.matchAll(/(\d+)m([\d.]+)s/g) ?? []
  const processor = [...spent].reduce((sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds), 0)
  return { seconds: (performance.now() - start) / 1000, processor }
}

async function ours(...args: string[]): Promise<Cost> {
  const { stdout } = await run(process.execPath, [join(import.meta.dirname, 'backup-archive.ts'), ...args])
  return JSON.parse(stdout)
}

function print(name: string, { seconds, processor }: Time, bytes?: number): void {
  const size = bytes === undefined ? '' : `   ${Math.round(bytes / 1e6)} MB`
  const spent = `   ${processor.toFixed(1).padStart(6)} s of processor time`
  console.log(`  ${name.padEnd(28)} ${seconds.toFixed(1).padStart(7)} s${spent}${size}`)
}

await makeTree(tree, megabytes)
await rm(results, { recursive: true, force: true })
await theirs(`tar -cf - -C ${tree} . | cat > /dev/null`)

for (const [compression, peer, unpack, aim] of [
  ['gzip', 'gzip -6', 'tar -xzf', 1.5],
  ['zstd', 'zstd -q -3', 'tar --zstd -xf', 0.8],
] as const) {
  // Nothing is removed before all is measured: ext4 passes over each name that went a moment ago, one by one.
  const folder = join(results, compression)
  await mkdir(join(folder, 'theirs'), { recursive: true })
  const [peerPath, path] = [join(folder, 'peer'), join(folder, 'pentad')]
  const packed = await theirs(`tar -cf - -C ${tree} . | ${peer} > ${peerPath}`)
  const made = await ours('make', compression, tree, path)
  console.log(`\n${compression}, ${megabytes} MB`)
  print(`tar | ${peer}`, packed, (await stat(peerPath)).size)
  print('pentad, verified, published', made, (await stat(path)).size)
  printAim('written', packed.seconds / made.written, aim)
  printAim('verified, published', packed.seconds / made.seconds, aim)
  printAim('peak memory, MB', made.peak, 200, 'at most')
  const unpacked = await theirs(`${unpack} ${peerPath} -C ${join(folder, 'theirs')}`)
  const restored = await ours('unpack', path, join(folder, 'ours'))
  print(unpack, unpacked)
  print('pentad, checked, unpacked', restored)
  printAim('unpacked', unpacked.seconds / restored.seconds, 1)
  printAim('peak memory, MB', restored.peak, 200, 'at most')
}
await compareRequests(tree)
await rm(results, { recursive: true })
