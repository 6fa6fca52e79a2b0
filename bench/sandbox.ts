/**
 * Measures sandboxed extensions beside a plain worker thread and EmDash's plugins: cold start, memory for each of ten, and calls per second
 * with 1, 16, and 64 KB. `npm run bench:sandbox` gets workerd, in which EmDash runs plugins, from npm.
 */
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { bundleGuest } from '../cms/sandbox/bundle.ts'
import { START } from '../cms/sandbox/messages.ts'
import { createSandbox, type Sandbox } from '../cms/sandbox/sandbox.ts'
import { median } from './load.ts'
import { startWorkerd, workerdVersion } from './workerd.ts'

const EXTENSIONS = 10
const ROUNDS = 3
const SECONDS = 2
const SIZES = [1, 16, 64]

const PLAIN =
  "const { parentPort } = require('node:worker_threads'); parentPort.on('message', (json) => { const { args } = JSON.parse(json); parentPort.postMessage(JSON.stringify({ value: args[0] + '<p>added</p>' })) })"

const folder = await mkdtemp(join(tmpdir(), 'pentad-bench-'))
const entry = join(folder, 'index.js')
await writeFile(
  entry,
  `import { defineExtension } from 'pentad'
export default defineExtension({ id: 'echo', name: 'Echo', version: '1.0.0', setup({ hooks }) {
  hooks.addFilter('the_content', (html) => html + '<p>added</p>')
} })`,
)
const { code } = await bundleGuest(entry, entry, '/bench/.index.1.cjs')
await rm(folder, { recursive: true })

const messageOf = (size: number) => ({
  ...{ type: 'hook', ids: [[0, null]], isFilter: true },
  args: ['x'.repeat(size * 1024), { id: 1 }],
})

async function startSandbox(): Promise<Sandbox> {
  const sandbox = createSandbox({
    ...{ code, filename: '/bench/.index.1.cjs', methods: { sync: [], async: [] } },
    handle: () => null,
    onKill: (kill) => console.error(kill),
    onDone: () => {},
  })
  await sandbox.call({ what: 'setup', message: START, wall: 60_000 })
  return sandbox
}

async function startPlain(): Promise<Worker> {
  const worker = new Worker(PLAIN, { eval: true })
  await callPlain(worker, messageOf(0))
  return worker
}

async function callPlain(worker: Worker, message: object): Promise<void> {
  worker.postMessage(JSON.stringify(message))
  const [json] = await once(worker, 'message')
  JSON.parse(json)
}

/** Starts ten, one after the other, and prints the median of their times and the memory that each adds to the process. */
async function startAll<One>(name: string, start: () => Promise<One>): Promise<One[]> {
  const times: number[] = []
  const all: One[] = []
  const before = process.memoryUsage().rss
  for (let count = 0; count < EXTENSIONS; count++) {
    const since = performance.now()
    all.push(await start())
    times.push(performance.now() - since)
  }
  print(name, median(times), (process.memoryUsage().rss - before) / EXTENSIONS)
  return all
}

function print(name: string, startTime: number, memory: number): void {
  console.log(`${name}: cold start ${startTime.toFixed(0)} ms, ${(memory / 1024 / 1024).toFixed(1)} MB for each of ten`)
}

const sandboxes = await startAll('sandboxed extension', startSandbox)
const workers = await startAll('plain worker', startPlain)
const version = workerdVersion()
const workerd = version === undefined ? undefined : await startPlugins()
const [sandbox] = sandboxes
const [worker] = workers
for (const size of SIZES) {
  const message = messageOf(size)
  const calls: Record<string, () => Promise<unknown>> = {
    'in a sandbox': async () => sandbox?.call({ what: 'bench', message }),
    'in a plain worker': async () => worker && callPlain(worker, message),
    ...(workerd && { [`in ${version}`]: () => workerd.call(message) }),
  }
  // Alternately, so that a slower machine affects all of them.
  const rounds: Record<string, number>[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const rates: Record<string, number> = {}
    for (const [name, call] of Object.entries(calls)) rates[name] = await rate(call)
    rounds.push(rates)
  }
  const medians = Object.keys(calls).map(
    (name) => `${median(rounds.map((rates) => rates[name] ?? Number.NaN)).toFixed(0)} ${name}`,
  )
  console.log(`${size} KB, calls per second: ${medians.join(', ')}`)
}
await workerd?.stop()
await Promise.all([...workers.map((one) => one.terminate()), ...sandboxes.map((one) => one.close())])

/** Starts a process with one plugin ten times, since EmDash restarts it for each plugin that is added, and then one with all ten. */
async function startPlugins() {
  const times: number[] = []
  for (let count = 0; count < EXTENSIONS; count++) {
    const single = await startWorkerd(1)
    times.push(single.startTime)
    await single.stop()
  }
  const all = await startWorkerd(EXTENSIONS)
  print('EmDash plugin', median(times), all.memory() / EXTENSIONS)
  return all
}

/** Calls per second, one after the other. */
async function rate(call: () => Promise<unknown>): Promise<number> {
  for (let warm = 0; warm < 50; warm++) await call()
  const since = performance.now()
  let calls = 0
  while (performance.now() - since < SECONDS * 1000) {
    await call()
    calls++
  }
  return (calls * 1000) / (performance.now() - since)
}
