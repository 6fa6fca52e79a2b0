/**
 * Claims: the host alone answers its first request in at most 250 ms and with 90 MB of memory, an existing site with all services in 500 ms and with
 * 120 MB: `npm run bench:start`. Measures this repository and the npm package in `dist/pentad`, if `npm run build:package` made it; or other
 * checkouts and packages: `npm run bench:start -- --rounds 9 ../pentad-of-last-week`. Linux only, because it reads `/proc`.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { freePort } from '../test/support/free-port.ts'
import { printTarget } from './load.ts'

const ROOT = join(import.meta.dirname, '..')
/** Milliseconds between requests to a site that is starting, and for a whole start. */
const POLL = 2
const START_TIME = 120_000
/** Milliseconds after the first response, until the memory is measured. */
const REST = 2000
/** Milliseconds of CPU time in a unit of `/proc/<pid>/stat`. */
const TICK = 10
/** Says when it runs, and stays. */
const EMPTY = "process.stdout.write('started'); setInterval(() => {}, 1000)"

interface Row {
  readonly name: string
  /** Arguments of Node. */
  readonly args: (port: number) => readonly string[]
  /** The same for all starts of a row: some cached files contain the address of the site. */
  readonly port: number
  /** Path of the first request; without one, only the process is measured. */
  readonly path?: string
  readonly env?: Readonly<Record<string, string>>
  /** Called before each start. */
  readonly prepare?: () => void
  /** Maximum milliseconds and megabytes. */
  readonly most?: { readonly wall: number; readonly memory: number }
}

interface Start {
  /** Milliseconds from the start of the process to the end of the first response. */
  readonly wall: number
  /** Milliseconds of all its processes. */
  readonly cpu: number
  /** Megabytes resident: of the largest process, and of all. */
  readonly largest: number
  readonly all: number
}

const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string', default: '5' } },
  allowPositionals: true,
})
const folder = mkdtempSync(join(tmpdir(), 'pentad-bench-start-'))
const built = join(ROOT, 'dist/pentad')
const targets =
  positionals.length > 0 ? positionals.map((path) => resolve(path)) : [ROOT, ...(existsSync(built) ? [built] : [])]
const rows: Row[] = []
for (const row of [{ name: 'plain Node', args: () => ['-e', EMPTY] }, ...targets.flatMap(rowsOf)]) {
  rows.push({ ...row, port: await freePort() })
}

try {
  const starts = new Map<Row, Start[]>(rows.map((row) => [row, []]))
  // Unmeasured: the first creates the sites, the second their cached code. Rows alternate, so that all see the same load of the machine.
  for (const row of [...rows, ...rows]) await start(row)
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const [row, measured] of starts) measured.push(await start(row))
  }
  const [empty = []] = starts.values()
  const least = Math.min(...empty.map(({ cpu }) => cpu)) || TICK
  console.table(
    [...starts].map(([{ name }, measured]) => ({
      start: name,
      'wall ms': show(measured.map(({ wall }) => wall)),
      'CPU ms': show(measured.map(({ cpu }) => cpu)),
      'CPU / plain Node': (Math.min(...measured.map(({ cpu }) => cpu)) / least).toFixed(1),
      'MB resident': show(measured.map(({ largest }) => largest)),
      'MB of all processes': show(measured.map(({ all }) => all)),
    })),
  )
  for (const [{ name, most }, measured] of starts) {
    if (!most) continue
    printTarget(`${name}, ms`, Math.min(...measured.map(({ wall }) => wall)), most.wall, 'at most')
    printTarget(`${name}, MB`, Math.min(...measured.map(({ largest }) => largest)), most.memory, 'at most')
  }
  console.log(`Minimum / median of ${values.rounds} starts, after two that were not measured. Node ${process.version}.`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** What is measured of a checkout or an installed package. */
function rowsOf(target: string): Omit<Row, 'port'>[] {
  const project = mkdtempSync(join(folder, 'project-'))
  mkdirSync(join(project, 'node_modules'))
  symlinkSync(target, join(project, 'node_modules/pentad'))
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }')
  const command = [join(target, 'cli/index.ts'), join(target, 'cli/index.js')].find(existsSync)
  if (command === undefined) throw new Error(`${target} is neither a checkout of Pentad nor its package.`)
  const title = { [ROOT]: 'repository', [built]: 'npm package' }[target] ?? target
  const site = (name: string) => join(project, name)
  const serve = (name: string) => (port: number) => [command, 'start', '--site', site(name), '--port', String(port)]
  const product = [
    {
      name: `${title}: new site`,
      args: serve('new'),
      path: '/',
      prepare: () => rmSync(site('new'), { recursive: true, force: true }),
    },
    { name: `${title}: existing site`, args: serve('existing'), path: '/', most: { wall: 500, memory: 120 } },
  ]
  const host = [join(target, 'core/host.ts'), join(target, 'core/host.d.ts')].find(existsSync)
  // Earlier versions do not run alone.
  if (host === undefined || !readFileSync(host, 'utf8').includes("export { z } from 'zod'")) return product
  cpSync(join(ROOT, 'examples/host-only'), join(project, 'host-only'), { recursive: true })
  const guestbook = {
    args: (port: number) => [join(project, 'host-only/index.ts'), site('guestbook'), String(port)],
    path: '/wp-json/guestbook/v1/entries',
  }
  const cache = { NODE_COMPILE_CACHE: join(project, 'code') }
  return [
    { name: `${title}: host only`, ...guestbook },
    { name: `${title}: host only, compile cache`, ...guestbook, env: cache, most: { wall: 250, memory: 90 } },
    ...product,
  ]
}

async function start({ args, port, path, env, prepare }: Row): Promise<Start> {
  prepare?.()
  const { NODE_COMPILE_CACHE: _, ...own } = process.env
  const began = performance.now()
  const child = spawn(process.execPath, args(port), {
    env: { ...own, PENTAD_LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  if (path === undefined) await once(child.stdout, 'data')
  else await firstResponse(`http://127.0.0.1:${port}${path}`, child)
  const wall = performance.now() - began
  child.stdout.resume()
  const cpu = sum(processesOf(child.pid ?? 0).map(cpuOf))
  await wait(REST)
  const resident = processesOf(child.pid ?? 0).map((pid) => statusOf(pid, 'VmRSS'))
  child.kill('SIGTERM')
  await ended
  return { wall, cpu, largest: Math.max(...resident), all: sum(resident) }
}

async function firstResponse(url: string, child: ChildProcess): Promise<void> {
  for (const end = performance.now() + START_TIME; performance.now() < end; ) {
    if (child.exitCode !== null) throw new Error(`The process ended with code ${child.exitCode}.`)
    const status = await statusAt(url)
    if (status !== undefined && status < 500) return
    await wait(POLL)
  }
  throw new Error(`No response from ${url} within ${START_TIME / 1000} seconds.`)
}

/** The status of a complete response; `undefined` if nothing listens. */
function statusAt(url: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    get(url, { agent: false }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode))
    }).on('error', () => resolve(undefined))
  })
}

/** A process with its descendants. */
function processesOf(pid: number): number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  )
  return [pid, ...children.flatMap(processesOf)]
}

/** Milliseconds in user and system mode, including those of ended children: fields 14 to 17 (proc(5)). */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return sum(fields.slice(11, 15).map(Number)) * TICK
}

/** Megabytes of a field in `/proc/<pid>/status`. */
function statusOf(pid: number, field: string): number {
  const [, kilobytes = '0'] =
    new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function show(numbers: readonly number[]): string {
  const sorted = numbers.toSorted((a, b) => a - b)
  return [sorted[0] ?? 0, sorted[Math.floor(sorted.length / 2)] ?? 0].map((number) => number.toFixed(0)).join(' / ')
}
