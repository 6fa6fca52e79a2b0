/** How long a page takes on a site that rests, and on the same site while it is backed up. */
import { execFileSync } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { get } from 'node:http'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { printAim, startServer } from './load.ts'

/** Requests a second, however long the answers take. */
const RATE = 40
/** Seconds before the measuring, in which the code gets warm. */
const WARM_UP = 5
const AT_REST = 25

/** The home page in the default theme, while a backup of the tree is made through the routes. */
export async function compareRequests(tree: string): Promise<void> {
  const site = await startServer('pentad-site.ts', { SERVICES: 'on' })
  try {
    const { url, authorization, siteDir } = JSON.parse(site.line)
    await mkdir(join(siteDir, 'uploads'), { recursive: true })
    execFileSync('cp', ['-al', tree, join(siteDir, 'uploads/tree')])
    await requestsUntil(url, wait(WARM_UP * 1000))
    const rest = await requestsUntil(url, wait(AT_REST * 1000))
    const start = performance.now()
    const busy = await requestsUntil(url, backUp(`${url}/wp-json/backup/v1`, authorization))
    const seconds = (performance.now() - start) / 1000
    console.log(`\nHome page, ${RATE} requests/s, backup through the routes in ${seconds.toFixed(1)} s`)
    for (const [name, times] of [
      ['at rest', rest],
      ['during the backup', busy],
    ] as const) {
      const [median, p99, most] = [0.5, 0.99, 1].map((share) => quantile(times, share).toFixed(1))
      console.log(`  ${name.padEnd(28)} median ${median} ms   p99 ${p99} ms   longest ${most} ms   of ${times.length}`)
    }
    printAim('p99 to that at rest', quantile(busy, 0.99) / quantile(rest, 0.99), 3, 'at most')
  } finally {
    site.stop()
  }
}

/** Milliseconds of each answer. One is asked for every so often, so that a stall counts for all who come during it. */
async function requestsUntil(url: string, over: Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  const asked: Promise<unknown>[] = []
  const ask = async () => {
    const start = performance.now()
    await answered(url)
    times.push(performance.now() - start)
  }
  const timer = setInterval(() => asked.push(ask()), 1000 / RATE)
  try {
    await over
  } finally {
    clearInterval(timer)
  }
  await Promise.all(asked)
  return times.sort((one, other) => one - other)
}

/** On a connection of its own, as a visitor who comes for the first time. */
function answered(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${url} answered ${answer.statusCode}`))
      answer.resume().on('end', resolve).on('error', reject)
    }).on('error', reject)
  })
}

/** As the page of the administrator does it: begun, then asked about once a second. */
async function backUp(routes: string, authorization: string): Promise<void> {
  const call = async (method: string, path: string) => {
    const answer = await fetch(`${routes}${path}`, { method, headers: { authorization } })
    const { data } = JSON.parse(await answer.text())
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
    return data
  }
  const { jobId } = await call('POST', '/backup/create')
  for (;;) {
    await wait(1000)
    const { state } = await call('GET', `/backup/progress?jobId=${jobId}`)
    if (state === 'complete') return
    if (state !== 'running') throw new Error(`The backup is ${state}.`)
  }
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
