/**
 * Claim: a faulty extension hurts only itself: `npm run bench:faulty`. Each of the faults in `test/extensions/faulty` is switched on
 * in a real site with all five services, while visitors read it. For each one the table says whether it alone was paused and
 * named by file and line, how many answers of others were wrong, and how slow these were beside the same visitors before:
 * the 99th percentile, where twice is the aim. `npm run bench:faulty -- title content` takes those whose names begin so.
 */
import type { Fault } from '../test/extensions/faulty/fault.ts'
import { FAULTS } from '../test/extensions/faulty/faults.ts'
import { startFaultySite } from '../test/extensions/faulty/site.ts'
import { meet, readSite, saysWhere } from '../test/extensions/faulty/trial.ts'

/** Visitors at once, each of whom asks again as soon as it has its answer. */
const READERS = { clients: 4, rest: 0 }
/** Milliseconds for which visitors read the site without a faulty extension. */
const CALM = 3000

const prefixes = process.argv.slice(2)
const faults = FAULTS.filter(({ id }) => prefixes.length === 0 || prefixes.some((prefix) => id.startsWith(prefix)))
const site = await startFaultySite({ pageCache: 'off' })

const percentile = (times: readonly number[]) => times[Math.floor(times.length * 0.99)] ?? 0

function readFor(milliseconds: number) {
  const began = performance.now()
  return readSite(site, READERS, () => performance.now() - began > milliseconds)
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
  const calm = percentile((await readFor(CALM)).times)
  let isOver = false
  const others = readSite(site, { ...READERS, fault }, () => isOver)
  const { paused, reason, wrong } = await meet(site, fault).finally(() => {
    isOver = true
  })
  const reading = await others
  await site.uninstall(fault)
  const isNamed = paused.length === 1 && paused[0] === fault.id && saysWhere(fault, reason)
  return {
    fault: fault.id,
    named: isNamed ? 'yes' : `${paused.join(', ') || 'nobody'}: ${reason}`,
    wrong: [...new Set([...wrong, ...reading.wrong])].slice(0, 2).join(', ') || '-',
    p99: (percentile(reading.times) / calm).toFixed(1),
  }
}

try {
  await site.configure('ai', { helpdeskAgent: 'on' })
  await readFor(15_000)
  // Else a callback that never resolves takes its five seconds five times, and a handler its minute.
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
