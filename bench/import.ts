/**
 * Claim: a WordPress export of 100,000 posts is imported in at most 300 seconds, and memory does not grow with its size: `npm run bench:import`.
 * `POSTS` imports another number; the time that is allowed is proportional. All services run. CPU time includes threads, such as the garbage collector's.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSite } from '../app/create-site.ts'
import { importWxr, partsOfSite } from '../cms/content/import/index.ts'
import { writeExport } from './export-file.ts'
import { printTarget } from './load.ts'

const POSTS = Number(process.env.POSTS ?? 100_000)
const SECONDS = (300 * POSTS) / 100_000
/** Percent of progress between two lines. */
const STEP = 10

const folder = mkdtempSync(join(tmpdir(), 'pentad-bench-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const file = join(folder, 'export.xml')
await writeExport(file, POSTS)
const host = await createSite({ siteDir: join(folder, 'site'), port: 0, logLevel: 'error', environment: 'production' })
const started = performance.now()
const startedCpu = process.cpuUsage()
const memory: number[] = []
let reached = 0
const sample = setInterval(() => memory.push(process.memoryUsage.rss() / 1024 / 1024), 250)

await importWxr({
  files: [file],
  ...partsOfSite(host),
  onProgress({ percent, message }) {
    if (percent < reached) return
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    console.log(
      `  ${String(percent).padStart(3)}%  ${seconds.padStart(7)} s  ${memory.at(-1)?.toFixed(0) ?? '-'} MB  ${message}`,
    )
    reached = percent - (percent % STEP) + STEP
  },
})
clearInterval(sample)
const seconds = (performance.now() - started) / 1000
const { user, system } = process.cpuUsage(startedCpu)
const half = Math.floor(memory.length / 2)
const growth = Math.max(...memory.slice(half)) / Math.max(...memory.slice(0, half))
console.log(
  `${POSTS} posts imported: ${seconds.toFixed(1)} s, ${((user + system) / 1_000_000).toFixed(1)} s of CPU time`,
)
printTarget('seconds', seconds, SECONDS, 'at most')
printTarget('peak of the second half / first', growth, 1.2, 'at most')
await host.close()
