/** Measures sandboxed extensions: cold start, memory per extension, and calls per second with 1, 16, and 64 KB beside a plain worker thread. */
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { bundleGuest } from '../cms/sandbox/bundle.ts'
import { START } from '../cms/sandbox/messages.ts'
import { createSandbox, type Sandbox } from '../cms/sandbox/sandbox.ts'

const EXTENSIONS = 10
const SECONDS = 2
const SIZES = [1, 16, 64]

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

const open = () =>
  createSandbox({
    ...{ code, filename: '/bench/.index.1.cjs', methods: { sync: [], async: [] } },
    handle: () => null,
    onKill: (kill) => console.error(kill),
    onDone: () => {},
  })
const start = (sandbox: Sandbox) => sandbox.call({ what: 'setup', message: START, wall: 60_000 })

const times: number[] = []
const sandboxes: Sandbox[] = []
const before = process.memoryUsage().rss
for (let count = 0; count < EXTENSIONS; count++) {
  const since = performance.now()
  const sandbox = open()
  await start(sandbox)
  times.push(performance.now() - since)
  sandboxes.push(sandbox)
}
const megabytes = (process.memoryUsage().rss - before) / 1024 / 1024
const [first = 0, ...others] = times
console.log(
  `cold start: ${first.toFixed(0)} ms the first, ${median(others).toFixed(0)} ms the others (median of ${others.length})`,
)
console.log(`memory: ${(megabytes / EXTENSIONS).toFixed(1)} MB per extension`)

const worker = new Worker(
  "const { parentPort } = require('node:worker_threads'); parentPort.on('message', (json) => { const { args } = JSON.parse(json); parentPort.postMessage(JSON.stringify({ value: args[0] + '<p>added</p>' })) })",
  { eval: true },
)
const [sandbox] = sandboxes
for (const size of SIZES) {
  const html = 'x'.repeat(size * 1024)
  const message = { type: 'hook', ids: [[0, null]], isFilter: true, args: [html, { id: 1 }] }
  const sandboxed = await rate(async () => void (await sandbox?.call({ what: 'bench', message })))
  const plain = await rate(async () => {
    worker.postMessage(JSON.stringify(message))
    const [json] = await once(worker, 'message')
    JSON.parse(json)
  })
  console.log(
    `${size} KB: ${sandboxed.toFixed(0)} calls per second in a sandbox, ${plain.toFixed(0)} in a plain worker`,
  )
}
await worker.terminate()
await Promise.all(sandboxes.map((one) => one.close()))

/** Calls per second, one after the other. */
async function rate(call: () => Promise<void>): Promise<number> {
  for (let warm = 0; warm < 50; warm++) await call()
  const since = performance.now()
  let calls = 0
  while (performance.now() - since < SECONDS * 1000) {
    await call()
    calls++
  }
  return (calls * 1000) / (performance.now() - since)
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
