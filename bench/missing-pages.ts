/**
 * A flood of requests to 100,000 different missing URLs, with the 404 log alternately off and on: the p99 response time of a
 * page meanwhile, and whether the log stays within its limit.
 */
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Flood } from './flood.ts'
import { median, printTarget, startServer } from './load.ts'

const FLOOD = 100_000
const ROUNDS = 10
const CONNECTIONS = 8
/** Interval of the measured visits, in ms. */
const PACE = 5
/** Default limit of the log, in entries. */
const MOST_ENTRIES = 10_000

const site = await startServer('pentad-site.ts', { SERVICES: 'on', PAGE_CACHE: 'on' })
const { url, authorization }: { url: string; authorization: string } = JSON.parse(site.line)
const visitors = new Agent({ keepAlive: true })
let missing = 0

try {
  // Warm-up: compiles code and caches the page.
  await Promise.all([flood(2_000), visitUntil(wait(5_000))])
  const rounds = []
  for (let round = 0; round < ROUNDS; round++) {
    const quiet = await visitUntil(wait(2_000))
    // The order alternates.
    const order = round % 2 === 0 ? (['off', 'on'] as const) : (['on', 'off'] as const)
    const flooded = { off: Number.NaN, on: Number.NaN }
    for (const log of order) {
      await setLog(log)
      flooded[log] = await visitUntil(flood(FLOOD / ROUNDS))
    }
    rounds.push({ quiet, ...flooded })
  }
  console.log(`p99 of a cached page during a flood of ${FLOOD} missing URLs, median of ${ROUNDS} rounds`)
  for (const kind of ['quiet', 'off', 'on'] as const) {
    const name = { quiet: 'without a flood', off: 'flood, log off', on: 'flood, log on' }[kind]
    console.log(
      `  ${name.padEnd(28)} ${median(rounds.map((round) => round[kind]))
        .toFixed(2)
        .padStart(7)} ms`,
    )
  }
  printTarget('flood, log on / no flood', median(rounds.map(({ on, quiet }) => on / quiet)), 2, 'at most')
  printTarget('flood, log on / log off', median(rounds.map(({ on, off }) => on / off)), 2, 'at most')
  printTarget('log entries', await countEntries(), MOST_ENTRIES, 'at most')
} finally {
  site.stop()
  visitors.destroy()
}

/** Requests so many new missing URLs. */
async function flood(requests: number): Promise<void> {
  const workerData: Flood = { url, first: missing, requests, connections: CONNECTIONS }
  missing += requests
  await once(new Worker(new URL('./flood.ts', import.meta.url), { workerData }), 'exit')
}

/** Requests a page at a fixed rate, independent of response times. Returns the p99 in ms. */
async function visitUntil(end: Promise<unknown>): Promise<number> {
  const times: Promise<number>[] = []
  let isOver = false
  void end.then(() => {
    isOver = true
  })
  while (!isOver) {
    times.push(visit())
    await wait(PACE)
  }
  await end
  const sorted = (await Promise.all(times)).sort((one, other) => one - other)
  return sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN
}

/** Requests a page, and returns the response time in ms. */
function visit(): Promise<number> {
  const start = performance.now()
  return new Promise((resolve, reject) => {
    const request = get(`${url}/hello-world/`, { agent: visitors }, (response) => {
      response.resume()
      response.once('end', () => resolve(performance.now() - start))
    })
    request.once('error', (error) => {
      // The server has just closed an idle connection.
      if (request.reusedSocket) visit().then(resolve, reject)
      else reject(error)
    })
  })
}

async function setLog(log404: 'on' | 'off'): Promise<void> {
  const answer = await fetch(`${url}/wp-json/seo/v1/settings`, {
    method: 'PUT',
    headers: { Authorization: authorization, 'Content-Type': 'application/json' },
    body: JSON.stringify({ settings: { log404 } }),
  })
  if (!answer.ok) throw new Error(await answer.text())
  // Saving the settings of a service purges all pages.
  await wait(500)
  for (let tries = 0; tries < 20; tries++) await visit()
}

async function countEntries(): Promise<number> {
  const answer = await fetch(`${url}/wp-json/seo/v1/404s?perPage=1`, { headers: { Authorization: authorization } })
  return Number(answer.headers.get('x-wp-total'))
}
