/**
 * Claim: a faulty extension affects only itself: `npm run bench:faulty`. Activates each of the faults in `test/extensions/faulty`
 * on a real site with all five services, while visitors read it. The table shows for each fault whether only its extension was
 * paused, with the file and line in the reason; which responses to other requests were wrong; and the ratio of their p99 response time
 * to that of a control run before, with an extension that has no fault and is activated, visited and deactivated in the same way. The
 * target is at most 2. A response that waits for a callback that never resolves takes as long as the callback may; the fifth pauses the
 * extension. `npm run bench:faulty -- title content` selects faults by the beginning of their names.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { Fault } from '../test/extensions/faulty/fault.ts'
import { FAULTS } from '../test/extensions/faulty/faults.ts'
import { startFaultySite } from '../test/extensions/faulty/site.ts'
import { meet, type Reading, readSite, saysWhere, visit } from '../test/extensions/faulty/trial.ts'
import { median, printTarget } from './load.ts'

/** Concurrent visitors, each of whom sends the next request as soon as it has a response. */
const READERS = { clients: 4, rest: 0 }
/** Duration of each run and each control run, in ms: the extension is installed once in it, as a site owner would. */
const TIME = 5000
/** The fifth error within a minute pauses an extension. */
const VISITS = 5

const prefixes = process.argv.slice(2)
const faults = FAULTS.filter(({ id }) => prefixes.length === 0 || prefixes.some((prefix) => id.startsWith(prefix)))
const site = await startFaultySite({ pageCache: 'off' })

const percentile = (times: readonly number[]) => times[Math.floor(times.length * 0.99)] ?? 0

/** Does the work while visitors read the site for `TIME`, or until the work is done if that takes longer. */
async function readWhile<T>(work: () => Promise<T>, fault?: Fault): Promise<[T, Reading]> {
  let isOver = false
  const reading = readSite(site, fault ? { ...READERS, fault } : READERS, () => isOver)
  try {
    const [done] = await Promise.all([work(), wait(TIME)])
    isOver = true
    return [done, await reading]
  } finally {
    isOver = true
  }
}

interface Outcome {
  readonly fault: string
  /** `yes`, or which extensions were paused instead, and the reason given. */
  readonly named: string
  readonly wrong: string
  /** Ratio of the p99 to that of the control run. */
  readonly p99: string
}

async function tryFault(fault: Fault): Promise<Outcome> {
  const harmless: Fault = { ...fault, id: 'harmless', setup: '' }
  const [, calm] = await readWhile(async () => {
    await site.install(harmless)
    for (let visits = 0; visits < VISITS; visits++) await visit(site, harmless)
    await site.uninstall(harmless)
  })
  const [{ paused, reason, wrong }, others] = await readWhile(async () => {
    const outcome = await meet(site, fault)
    await site.uninstall(fault)
    return outcome
  }, fault)
  const isNamed = paused.length === 1 && paused[0] === fault.id && saysWhere(fault, reason)
  return {
    fault: fault.id,
    named: isNamed ? 'yes' : `${paused.join(', ') || 'none'}: ${reason}`,
    wrong: [...new Set([...wrong, ...others.wrong])].slice(0, 2).join(', ') || '-',
    p99: (percentile(others.times) / percentile(calm.times)).toFixed(1),
  }
}

try {
  await site.configure('ai', { helpdeskAgent: 'on' })
  for (let time = 0; time < 2; time++) await readWhile(() => wait(TIME))
  // With the default limits, a callback that never resolves would take five seconds, and five calls of such a handler five minutes.
  await site.configure('host', { callbackTimeLimit: 300, requestTimeLimit: 3000, handlerTimeLimit: 300 })
  const before = await site.heap()
  const outcomes: Outcome[] = []
  for (const fault of faults) {
    outcomes.push(await tryFault(fault))
    console.log(JSON.stringify(outcomes.at(-1)))
  }
  console.table(outcomes)
  const right = outcomes.filter(({ named, wrong }) => named === 'yes' && wrong === '-').length
  printTarget('faults that affect only their extension', right, outcomes.length)
  printTarget('p99 of other pages, median ratio', median(outcomes.map(({ p99 }) => Number(p99))), 2, 'at most')
  console.log(`The heap grew by ${Math.round((await site.heap()) / 2 ** 20 - before / 2 ** 20)} MiB.`)
} finally {
  await site.end()
}
