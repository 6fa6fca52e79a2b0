/**
 * Claim: a faulty extension hurts only itself: `npm run bench:faulty`. Each of the faults in `test/extensions/faulty` is switched on
 * in a real site with all five services, while visitors read it. For each one the table says whether it alone was paused and
 * named by file and line, how many answers of others were wrong, and how slow these were beside the same visitors before:
 * the 99th percentile, where twice is the aim; before, an
 * extension without a fault is switched on and off and visited in the same way. `npm run bench:faulty -- title content` takes those whose names begin so.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { Fault } from '../test/extensions/faulty/fault.ts'
import { FAULTS } from '../test/extensions/faulty/faults.ts'
import { startFaultySite } from '../test/extensions/faulty/site.ts'
import { meet, type Reading, readSite, saysWhere, visit } from '../test/extensions/faulty/trial.ts'

/** Visitors at once, each of whom asks again as soon as it has its answer. */
const READERS = { clients: 4, rest: 0 }
/** Milliseconds for which each fault is met again and again, and before it as often an extension without one. */
const TIME = 2000
/** An extension is paused at its fifth fault. */
const VISITS = 5

const prefixes = process.argv.slice(2)
const faults = FAULTS.filter(({ id }) => prefixes.length === 0 || prefixes.some((prefix) => id.startsWith(prefix)))
const site = await startFaultySite({ pageCache: 'off' })

const percentile = (times: readonly number[]) => times[Math.floor(times.length * 0.99)] ?? 0

/** Visitors read while something is done over and over, for some time. */
async function readWhile(work: () => Promise<unknown>, fault?: Fault): Promise<Reading> {
  let isOver = false
  const reading = readSite(site, fault ? { ...READERS, fault } : READERS, () => isOver)
  const began = performance.now()
  try {
    do await work()
    while (performance.now() - began < TIME)
  } finally {
    isOver = true
  }
  return reading
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
  const harmless: Fault = { ...fault, id: 'harmless', setup: '' }
  const calm = await readWhile(async () => {
    await site.install(harmless)
    for (let visits = 0; visits < VISITS; visits++) await visit(site, harmless)
    await site.uninstall(harmless)
  })
  const outcomes: Awaited<ReturnType<typeof meet>>[] = []
  const others = await readWhile(async () => {
    outcomes.push(await meet(site, fault))
    await site.uninstall(fault)
  }, fault)
  const isNamed = ({ paused, reason }: (typeof outcomes)[number]) =>
    paused.length === 1 && paused[0] === fault.id && saysWhere(fault, reason)
  const other = outcomes.find((outcome) => !isNamed(outcome))
  const wrong = new Set([...outcomes.flatMap((outcome) => outcome.wrong), ...others.wrong])
  return {
    fault: fault.id,
    named: other === undefined ? 'yes' : `${other.paused.join(', ') || 'nobody'}: ${other.reason}`,
    wrong: [...wrong].slice(0, 2).join(', ') || '-',
    p99: (percentile(others.times) / percentile(calm.times)).toFixed(1),
  }
}

try {
  await site.configure('ai', { helpdeskAgent: 'on' })
  for (let time = 0; time < 5; time++) await readWhile(() => wait(TIME))
  // Else the first call of a callback that never resolves takes five seconds, and a handler five times its minute.
  await site.configure('host', { callbackTimeLimit: 300, requestTimeLimit: 3000, handlerTimeLimit: 300 })
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
