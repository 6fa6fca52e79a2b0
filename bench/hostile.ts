/**
 * Claim: hostile extensions in a sandbox do not slow the site down: `npm run bench:hostile`. Activates each of the hostile guests of
 * `test/sandbox/hostile-code.ts`, which runs its code on every page, and alternates between pages with and without it, until both have been
 * loaded `PAGES` times. Prints the ratio of their p99; the target is at most 1.5. Three terminated calls, or five errors, pause an extension,
 * so fewer than 1% of the pages are affected; prints after how many pages each guest is paused. With few pages above the 99th percentile, the
 * ratio of a single guest varies: the controls, which do nothing, show by how much. Prints the memory of the process after each guest.
 * `npm run bench:hostile -- loops` selects guests by the beginning of their names.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createTestHost } from '../app/testing/index.ts'
import { HOSTILE } from '../test/sandbox/hostile-code.ts'
import { median, printTarget } from './load.ts'

const PAGES = 600
/** Guests that do nothing. */
const CONTROLS = 5
/**
 * Pages in a row, before the other kind is measured. The first page after an activation takes longer, as with any extension; four of them
 * are fewer than 1% of the pages.
 */
const BLOCK = 150

const prefixes = process.argv.slice(2)
const chosen = HOSTILE.map(({ what, code }, at) => ({ id: `hostile-${at}`, what, code })).filter(
  ({ what }) => prefixes.length === 0 || prefixes.some((prefix) => what.startsWith(prefix)),
)
const folder = await mkdtemp(join(tmpdir(), 'pentad-hostile-'))
const host = await createTestHost()

const sourceOf = ({ id, code }: { id: string; code: string }) => `import { defineExtension } from 'pentad'
globalThis.ask = (method) => { throw new Error('There is no ' + method) }
globalThis.rawAsk = globalThis.ask
globalThis.rawSend = globalThis.ask
export default defineExtension({
  id: '${id}', name: '${id}', version: '1.0.0', isolation: 'sandbox', permissions: { hooks: ['the_content'] },
  setup({ hooks }) { hooks.addFilter('the_content', async () => { ${code} }) },
})
`

const p99 = (times: readonly number[]) => times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.99) - 1] ?? 0

/** Loads pages one after the other. @returns their times in milliseconds */
async function load(pages: number, onLoaded = () => {}): Promise<number[]> {
  const times: number[] = []
  for (let page = 0; page < pages; page++) {
    const since = performance.now()
    const response = await host.get('/hello-world/')
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`The page responded with ${response.status}.`)
    times.push(performance.now() - since)
    onLoaded()
  }
  return times
}

/** Memory of the process in MB, after garbage collection. */
async function memory(): Promise<number> {
  await wait(1_000)
  globalThis.gc?.()
  return process.memoryUsage().rss / 1024 / 1024
}

interface Times {
  readonly attacked: readonly number[]
  readonly calm: readonly number[]
}

const ratioOf = ({ attacked, calm }: Times) => p99(attacked) / p99(calm)

interface Guest {
  readonly id: string
  readonly what: string
  readonly code: string
}

const { extensions } = host.host
const stateOf = (id: string) => extensions.list().find((one) => one.id === id)?.state

async function add(guest: Guest): Promise<string> {
  const entry = join(folder, guest.id)
  await mkdir(entry)
  await writeFile(join(entry, 'index.js'), sourceOf(guest))
  return extensions.add(entry)
}

/** Loads pages with and without a guest. @returns their times in milliseconds */
async function measure(guest: Guest): Promise<Times> {
  const id = await add(guest)
  await extensions.activate(id)
  const [attacked, calm]: [number[], number[]] = [[], []]
  let pagesUntilPause = 0
  while (calm.length < PAGES) {
    attacked.push(...(await load(BLOCK, () => stateOf(id) === 'active' && pagesUntilPause++)))
    // One that was paused stays paused, as on any site.
    const isActive = stateOf(id) === 'active'
    if (isActive) await extensions.deactivate(id)
    calm.push(...(await load(BLOCK)))
    if (isActive) await extensions.activate(id)
  }
  const end = stateOf(id) === 'paused' ? `paused after ${pagesUntilPause + 1} pages` : 'active'
  await extensions.deactivate(id)
  const [own, others] = [p99(attacked), p99(calm)]
  const times = `p99 ${own.toFixed(1)} ms, ${others.toFixed(1)} ms without it`
  console.log(
    `${guest.what}: ${ratioOf({ attacked, calm }).toFixed(2)} (${times}); ${end}; ${(await memory()).toFixed(0)} MB`,
  )
  return { attacked, calm }
}

try {
  await load(PAGES)
  const controls: Times[] = []
  for (let count = 0; count < CONTROLS; count++) {
    controls.push(await measure({ id: `harmless-${count}`, what: 'control: does nothing', code: '' }))
  }
  const before = await memory()
  const all: Times[] = []
  for (const guest of chosen) all.push(await measure(guest))
  const together = { attacked: all.flatMap((one) => one.attacked), calm: all.flatMap((one) => one.calm) }
  console.log(`${chosen.length} guests, ${PAGES} pages each`)
  printTarget('p99 of all pages', ratioOf(together), 1.5, 'at most')
  printTarget('median of the ratios', median(all.map(ratioOf)), 1.5, 'at most')
  const ratios = (some: readonly Times[]) =>
    some
      .map(ratioOf)
      .map((one) => one.toFixed(2))
      .sort()
  console.log(
    `ratios of single guests: ${ratios(all).slice(-5).join(', ')} the highest; controls: ${ratios(controls).join(', ')}`,
  )
  console.log(`memory: ${(await memory()).toFixed(0)} MB, ${before.toFixed(0)} MB before`)
} finally {
  await host.close()
  await rm(folder, { recursive: true })
}
