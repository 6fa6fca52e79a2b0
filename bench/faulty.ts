/**
 * Claim: a faulty extension hurts only itself: `npm run bench:faulty`. Each of the faults in `faulty/faults.ts` is switched on
 * in a real site with all five services, while visitors read it. For each one the table says whether it alone was paused and
 * named by file and line, how many answers of others were wrong, and how slow these were beside the same visitors before:
 * the 99th percentile, where twice is the aim. `npm run bench:faulty -- title content` takes those whose names begin so.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { FAULTS, type Fault } from './faulty/faults.ts'
import { type Answer, HEALTHY, SECRETS, startFaultySite } from './faulty/faulty-site.ts'

/** What visitors read meanwhile: pages, a feed and routes, none of them of the faulty extension. */
const OTHERS = [
  ...['/', '/hello-world/', '/partly/', '/feed/', '/?s=hello'],
  ...['/wp-json/wp/v2/posts?per_page=3', '/wp-json/healthy/v1/x', '/wp-json/'],
]
/** Visitors at once. */
const CLIENTS = 4
/** Milliseconds for which visitors read the site without a faulty extension. */
const CALM = 3000
/** An extension is paused at its fifth fault within a minute; some visits meet it while it is being paused. */
const MOST_VISITS = 12

const prefixes = process.argv.slice(2)
const faults = FAULTS.filter(({ id }) => prefixes.length === 0 || prefixes.some((prefix) => id.startsWith(prefix)))
const site = await startFaultySite(faults, { pageCache: 'off' })

/** What is wrong with an answer that has nothing to do with the faulty extension. */
function wrongWith(path: string, { status, text }: Answer): string | undefined {
  for (const secret of SECRETS) if (text.includes(secret)) return `${path} shows ${secret}`
  if (status !== 200) return `${path} answers ${status}`
  if (/^\/(?!feed|wp-json)/.test(path) && !text.includes(HEALTHY)) return `${path} is not complete`
  return undefined
}

interface Reading {
  readonly wrong: readonly string[]
  /** Milliseconds. */
  readonly p99: number
}

async function readSite(isOver: () => boolean): Promise<Reading> {
  const wrong: string[] = []
  const times: number[] = []
  async function read(client: number): Promise<void> {
    for (let at = client; !isOver(); at++) {
      const path = OTHERS[at % OTHERS.length] ?? '/'
      const began = performance.now()
      const problem = wrongWith(path, await site.ask(path))
      times.push(performance.now() - began)
      if (problem !== undefined) wrong.push(problem)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, (_, client) => read(client)))
  times.sort((one, other) => one - other)
  return { wrong, p99: times[Math.floor(times.length * 0.99)] ?? 0 }
}

const stateOf = async ({ id }: Fault) => (await site.states()).find((extension) => extension.id === id)?.state

/** Meets the fault until its extension is paused. Answers what was wrong with pages that it had a hand in. */
async function meet(fault: Fault): Promise<string[]> {
  const { visit = '/hello-world/', request, own } = fault
  const wrong: string[] = []
  for (let visits = 0; visits < MOST_VISITS && (await stateOf(fault)) === 'active'; visits++) {
    const { status } = await site.ask(visit, request)
    if (own !== 'fails' && status >= 500) wrong.push(`${visit} answers ${status}`)
    await wait(20)
  }
  return wrong
}

interface Outcome {
  readonly fault: string
  /** `yes`, or what was paused and said instead. */
  readonly named: string
  readonly wrong: string
  /** Times the percentile without the fault. */
  readonly p99: string
}

async function tryFault(fault: Fault): Promise<Outcome> {
  const began = Date.now()
  const calm = await readSite(() => Date.now() - began > CALM)
  await site.switch(fault.id, 'activate')
  let isOver = false
  const others = readSite(() => isOver)
  const own = await meet(fault).finally(() => {
    isOver = true
  })
  const { wrong, p99 } = await others
  const paused = (await site.states()).filter(({ state }) => state === 'paused')
  await site.switch(fault.id, 'deactivate')
  const [first] = paused
  const reason = first?.reason ?? ''
  const isNamed = paused.length === 1 && first?.id === fault.id && fault.where.test(reason)
  const hasPlace = new RegExp(`${fault.id}/index\\.ts:\\d+`).test(reason)
  return {
    fault: fault.id,
    named: isNamed && hasPlace ? 'yes' : `${paused.map(({ id }) => id).join(', ') || 'nobody'}: ${reason}`,
    wrong: [...new Set([...own, ...wrong])].slice(0, 2).join(', ') || '-',
    p99: (p99 / calm.p99).toFixed(1),
  }
}

try {
  await readSite(() => performance.now() > 15_000)
  const before = await site.heap()
  const outcomes: Outcome[] = []
  for (const fault of faults) {
    outcomes.push(await tryFault(fault))
    console.log(JSON.stringify(outcomes.at(-1)))
  }
  console.table(outcomes)
  const right = outcomes.filter(({ named, wrong }) => named === 'yes' && wrong === '-').length
  console.log(`${right} of ${outcomes.length} hurt only themselves and are named.`)
  console.log(`The heap grew by ${Math.round((await site.heap()) / 2 ** 20 - before / 2 ** 20)} MiB.`)
} finally {
  await site.end()
}
