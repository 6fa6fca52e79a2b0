/** Loads servers alternately and compares their requests per second. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { MALLOC, SEMI_SPACE } from '../cli/supervisor/supervise.ts'

const ROUNDS = 5
const SECONDS = 3
/** Warm-up before the first round, in seconds, so that code is compiled and caches are filled. */
const WARM_UP = 2

/** Results of wrk for one server. */
export interface Load {
  readonly perSecond: number
  /** Milliseconds. */
  readonly p99: number
  /**
   * User and system CPU time per request, in microseconds; hardly depends on the load of the machine.
   * `NaN` if the process is unknown, or not on Linux.
   */
  readonly cpu: number
  /** The same of the client. */
  readonly client: number
}

/** A server to measure. */
export interface Server {
  readonly url: string
  readonly headers?: Record<string, string>
  /** Id of the serving process; its child processes are included. */
  readonly pid?: number | undefined
}

/** Starts a script of this folder, with the memory limits of `pentad start`, and resolves to the first line that it prints. */
export async function startServer(
  script: string,
  environment: Record<string, string> = {},
): Promise<{ line: string; pid: number | undefined; stop(): void }> {
  const child: ChildProcess = spawn(process.execPath, [SEMI_SPACE, join(import.meta.dirname, script)], {
    env: { ...MALLOC, ...process.env, NODE_ENV: 'production', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  process.once('exit', () => child.kill('SIGTERM'))
  if (!child.stdout) throw new Error('the server has no output')
  const [line] = await once(createInterface(child.stdout), 'line')
  return { line: String(line), pid: child.pid, stop: () => child.kill('SIGTERM') }
}

/** Loads a server with wrk. @throws Error for any response other than a 2xx */
export function load({ url, headers = {}, pid }: Server, seconds: number): Load {
  const args = [
    ...['-t1', '-c16', `-d${seconds}s`, '--latency'],
    ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
    url,
  ]
  const [before, clientBefore] = [processorTime(pid), timeOfEndedChildren()]
  const output = execFileSync('wrk', args, { encoding: 'utf8' })
  const [time, client] = [processorTime(pid) - before, timeOfEndedChildren() - clientBefore]
  if (/Non-2xx/.test(output)) throw new Error(`${url} did not respond with 200:\n${output}`)
  const perSecond = Number(/Requests\/sec:\s*([\d.]+)/.exec(output)?.[1])
  const requests = Number(/(\d+) requests in/.exec(output)?.[1])
  const [, amount, unit = ''] = /99%\s+([\d.]+)(us|ms|s)/.exec(output) ?? []
  const p99 = Number(amount) * ({ us: 0.001, ms: 1, s: 1_000 }[unit] ?? Number.NaN)
  if (!Number.isFinite(perSecond) || !Number.isFinite(p99)) throw new Error(`unexpected output of wrk:\n${output}`)
  return { perSecond, p99, cpu: time / requests, client: client / requests }
}

/** CPU time of a process and its children so far, ended ones included, in microseconds; Linux counts in hundredths of a second. */
export function processorTime(pid: number | undefined): number {
  if (pid === undefined || process.platform !== 'linux') return Number.NaN
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').map(Number).filter(Boolean)
  return children.reduce((sum, child) => sum + processorTime(child), timesOf(pid, 11))
}

/** CPU time of the ended child processes of this process, in microseconds. */
function timeOfEndedChildren(): number {
  return process.platform === 'linux' ? timesOf('self', 13) : Number.NaN
}

/** The sum of the CPU times in `/proc/<pid>/stat` from a field after the name on: 11 with the own ones of the process, 13 without. */
function timesOf(pid: number | 'self', first: 11 | 13): number {
  const [, afterName = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  return afterName
    .split(' ')
    .slice(first, 15)
    .reduce((sum, ticks) => sum + Number(ticks) * 10_000, 0)
}

/** Measures all servers alternately, so that a slower machine affects all of them. Returns the rounds of each, in order. */
export function measureAlternately(servers: readonly Server[]): Load[][] {
  // Warm-up before each round: V8 discards compiled code of a large program that was idle while others were measured.
  const measureWarm = (server: Server) => {
    load(server, WARM_UP)
    return load(server, SECONDS)
  }
  const rounds = Array.from({ length: ROUNDS }, () => servers.map(measureWarm))
  return servers.map((_, at) => rounds.flatMap((round) => round[at] ?? []))
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

/** Median of the ratios of each round. */
export function medianRatio(own: readonly Load[], peer: readonly Load[], of: keyof Load): number {
  return median(own.map((load, round) => load[of] / (peer[round]?.[of] ?? Number.NaN)))
}

export const CONDITIONS = `median of ${ROUNDS} rounds of ${SECONDS} s with 16 connections`

/** Measures both alternately and prints the ratio of the medians. */
export function compare(title: string, ours: Server, koa: Server, target: number): void {
  const [own = [], peer = []] = measureAlternately([ours, koa])
  const ratio = medianRatio(own, peer, 'perSecond')
  console.log(`${title}, ${CONDITIONS}`)
  printLoad('pentad', own)
  printLoad('minimal Koa', peer)
  printTarget('ratio', ratio, target)
}

export function printLoad(name: string, loads: readonly Load[]): void {
  const perSecond = median(loads.map((load) => load.perSecond)).toFixed(0)
  const p99 = median(loads.map((load) => load.p99)).toFixed(2)
  const cpu = median(loads.map((load) => load.cpu))
  const cost = Number.isFinite(cpu) ? `   ${cpu.toFixed(0).padStart(6)} µs CPU time` : ''
  console.log(`  ${name.padEnd(28)} ${perSecond.padStart(7)} requests/s   p99 ${p99.padStart(7)} ms${cost}`)
}

export function printTarget(
  what: string,
  value: number,
  target: number,
  direction: 'at least' | 'at most' = 'at least',
): void {
  const isMet = direction === 'at least' ? value >= target : value <= target
  const verdict = isMet ? 'met' : 'MISSED'
  console.log(
    `  ${what.padEnd(28)} ${value.toFixed(2).padStart(7)}  (target: ${direction} ${target.toFixed(2)}) ${verdict}`,
  )
}
