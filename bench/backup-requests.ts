/** Response times of a page on an idle site, and on the same site during a backup. */
import { execFileSync } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { get } from 'node:http'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { printTarget, startServer } from './load.ts'

/** Requests per second, independent of response times. */
const RATE = 40
/** Warm-up before the measurement, in seconds. */
const WARM_UP = 5
const AT_REST = 25

/** Measures the home page in the default theme, while a backup that includes the tree is created over REST. */
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
    console.log(`\nHome page, ${RATE} requests/s, backup over REST in ${seconds.toFixed(1)} s`)
    for (const [name, times] of [
      ['idle', rest],
      ['during the backup', busy],
    ] as const) {
      const [median, p99, most] = [0.5, 0.99, 1].map((share) => quantile(times, share).toFixed(1))
      console.log(`  ${name.padEnd(28)} median ${median} ms   p99 ${p99} ms   longest ${most} ms   of ${times.length}`)
    }
    printTarget('p99, relative to idle', quantile(busy, 0.99) / quantile(rest, 0.99), 3, 'at most')
  } finally {
    site.stop()
  }
}

/** Response times in ms. Requests start at a fixed rate, so a stall affects all requests that start during it. */
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

/** On a new connection, as for a new visitor. */
function answered(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${url} responded with ${answer.statusCode}`))
      answer.resume().on('end', resolve).on('error', reject)
    }).on('error', reject)
  })
}

/** Starts a backup and polls its progress once a second, as the admin does. */
async function backUp(routes: string, authorization: string): Promise<void> {
  const call = async (method: string, path: string) => {
    const answer = await fetch(`${routes}${path}`, { method, headers: { authorization } })
    const { data } = JSON.parse(await answer.text())
    if (!answer.ok) throw new Error(`${path} responded with ${answer.status}`)
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
