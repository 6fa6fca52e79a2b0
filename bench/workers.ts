/**
 * Claim: on two processors, two workers send at least 1.7 times as many uncached pages as one: `npm run bench:workers`. Needs wrk and Linux.
 *
 * The client runs on the same processors. Two workers would use the time that it takes from them if it ran on another machine, so their
 * rate is calculated for the time that it left them.
 */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createSite } from '../app/create-site.ts'
import { importWxr, partsOfSite } from '../cms/content/import/index.ts'
import { type RunningSite, startPentad } from '../test/support/pentad.ts'
import { load, median, printTarget, processorTime } from './load.ts'

const ROUNDS = 7
const SECONDS = 4
const PROCESSORS = 2

/** A CPU that is used less than this is idle, in milliseconds per second. */
const IDLE = 20

interface Server {
  readonly site: RunningSite
  readonly workers: number
  readonly rounds: Round[]
}

interface Round {
  /** Requests per second, on processors that the client does not use. */
  readonly perSecond: number
  /** Milliseconds of CPU time of all workers per request. */
  readonly cpu: number
  /** Of the worker that did the most, in percent of all workers. */
  readonly largestShare: number
}

if (availableParallelism() !== PROCESSORS) {
  console.log(`This benchmark needs exactly ${PROCESSORS} processors.`)
  process.exit(1)
}
const folder = mkdtempSync(join(tmpdir(), 'pentad-bench-workers-'))
const servers: Server[] = []
try {
  await createImported(join(folder, '1'))
  cpSync(join(folder, '1'), join(folder, '2'), { recursive: true })
  for (const workers of [1, 2]) {
    const site = await startPentad(join(folder, String(workers)), ['--workers', String(workers)])
    servers.push({ site, workers, rounds: [] })
  }
  for (const path of ['/dispatch-2-a-good-espresso-takes-eighteen-grams-tw/', '/']) await compare(path)
} finally {
  for (const { site } of servers) await site.end()
  rmSync(folder, { recursive: true, force: true })
}

async function createImported(siteDir: string): Promise<void> {
  const host = await createSite({ siteDir, port: 0, logLevel: 'error', environment: 'production', pageCache: 'off' })
  await importWxr({
    files: [join(import.meta.dirname, '../test/fixtures/wordpress-export.xml')],
    ...partsOfSite(host),
  })
  await host.close()
  writeFileSync(
    join(siteDir, 'config.json'),
    JSON.stringify({ pageCache: 'off', environment: 'production', logLevel: 'error' }),
  )
}

async function compare(path: string): Promise<void> {
  for (const { site, rounds } of servers) {
    rounds.length = 0
    load({ url: site.url + path }, SECONDS)
  }
  for (const { site } of servers) await untilIdle(site)
  for (let round = 0; round < ROUNDS; round++) for (const server of servers) server.rounds.push(measure(server, path))
  console.log(`${path}, median of ${ROUNDS} rounds of ${SECONDS} s with 16 connections`)
  for (const { workers, rounds } of servers) {
    const of = (figure: keyof Round) => median(rounds.map((round) => round[figure]))
    console.log(
      `  ${workers} worker(s)  ${of('perSecond').toFixed(0).padStart(6)} requests/s  ${of('cpu').toFixed(2)} ms CPU time  largest share ${of('largestShare').toFixed(0)}%`,
    )
  }
  const [one = [], two = []] = servers.map(({ rounds }) => rounds)
  const ratios = two.map(({ perSecond }, round) => perSecond / (one[round]?.perSecond ?? Number.NaN))
  printTarget(`${path}: two workers / one`, median(ratios), 1.7)
}

function measure({ site, workers }: Server, path: string): Round {
  const ids = site.processIds()
  const before = ids.map(processorTime)
  const { perSecond, client } = load({ url: site.url + path }, SECONDS)
  const times = ids.map((pid, at) => processorTime(pid) - (before[at] ?? Number.NaN))
  const total = times.reduce((sum, time) => sum + time, 0)
  // One worker and the client have a processor each.
  const left = workers === 1 ? 1 : 1 - (client * perSecond) / 1e6 / PROCESSORS
  return {
    perSecond: perSecond / left,
    cpu: total / (perSecond * SECONDS) / 1000,
    largestShare: (Math.max(...times) / total) * 100,
  }
}

/** Work after an import would be measured too. */
async function untilIdle(site: RunningSite): Promise<void> {
  const time = () => site.processIds().reduce((sum, pid) => sum + processorTime(pid), 0)
  for (let before = time(); ; before = time()) {
    await wait(1000)
    if ((time() - before) / 1000 < IDLE) return
  }
}
