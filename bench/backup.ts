/**
 * The cost of a backup and restore of 2 GB, compared with tar, gzip and zstd: many small files, some large ones, some
 * incompressible. Then response times of a site during a backup.
 *
 * `npm run bench:backup`, or `node bench/backup.ts 200` for a tree of 200 MB, which is created once in the temporary folder.
 */
import { execFile } from 'node:child_process'
import { mkdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { MALLOC, SEMI_SPACE } from '../cli/supervisor/supervise.ts'
import type { Cost } from './backup-archive.ts'
import { compareRequests } from './backup-requests.ts'
import { makeTree } from './backup-tree.ts'
import { printTarget } from './load.ts'

const run = promisify(execFile)
const megabytes = Number(process.argv[2] ?? 2000)
const home = join(tmpdir(), `pentad-bench-backup-${megabytes}`)
const tree = join(home, 'tree')
const results = join(home, 'results')

/** Wall-clock time, and user and system CPU time, in seconds. CPU time hardly depends on the load of the machine. */
type Time = Pick<Cost, 'seconds' | 'processor'>

/** At the low priority of Pentad's threads, so that the load of the machine affects both equally. */
async function theirs(command: string): Promise<Time> {
  const start = performance.now()
  const { stdout } = await run('sh', ['-c', `renice -n 10 $$ > /dev/null; { ${command}; } && times`])
  // POSIX sh, "times": its own times in the first line, those of its children in the second.
  const spent = stdout.split('\n')[1]?.matchAll(/(\d+)m([\d.]+)s/g) ?? []
  const processor = [...spent].reduce((sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds), 0)
  return { seconds: (performance.now() - start) / 1000, processor }
}

async function ours(...args: string[]): Promise<Cost> {
  const { stdout } = await run(
    process.execPath,
    [SEMI_SPACE, join(import.meta.dirname, 'backup-archive.ts'), ...args],
    {
      env: { ...MALLOC, ...process.env },
    },
  )
  return JSON.parse(stdout)
}

function print(name: string, { seconds, processor }: Time, bytes?: number): void {
  const size = bytes === undefined ? '' : `   ${Math.round(bytes / 1e6)} MB`
  const spent = `   ${processor.toFixed(1).padStart(6)} s CPU time`
  console.log(`  ${name.padEnd(28)} ${seconds.toFixed(1).padStart(7)} s${spent}${size}`)
}

await makeTree(tree, megabytes)
await rm(results, { recursive: true, force: true })
await theirs(`tar -cf - -C ${tree} . | cat > /dev/null`)

for (const [compression, peer, unpack, target] of [
  ['gzip', 'gzip -6', 'tar -xzf', 1.5],
  ['zstd', 'zstd -q -3', 'tar --zstd -xf', 0.8],
] as const) {
  // Nothing is removed before all measurements are done: ext4 scans recently removed directory entries one by one.
  const folder = join(results, compression)
  await mkdir(join(folder, 'theirs'), { recursive: true })
  const [peerPath, path] = [join(folder, 'peer'), join(folder, 'pentad')]
  const packed = await theirs(`tar -cf - -C ${tree} . | ${peer} > ${peerPath}`)
  const made = await ours('make', compression, tree, path)
  console.log(`\n${compression}, ${megabytes} MB`)
  print(`tar | ${peer}`, packed, (await stat(peerPath)).size)
  print('pentad, verified, published', made, (await stat(path)).size)
  printTarget('written', packed.seconds / made.written, target)
  printTarget('verified, published', packed.seconds / made.seconds, target)
  printTarget('peak memory, MB', made.peak, 200, 'at most')
  const unpacked = await theirs(`${unpack} ${peerPath} -C ${join(folder, 'theirs')}`)
  const restored = await ours('unpack', path, join(folder, 'ours'))
  print(unpack, unpacked)
  print('pentad, checked, unpacked', restored)
  printTarget('unpacked', unpacked.seconds / restored.seconds, 1)
  printTarget('peak memory, MB', restored.peak, 200, 'at most')
}
await compareRequests(tree)
await rm(results, { recursive: true })
