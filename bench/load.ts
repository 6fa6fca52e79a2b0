/** Puts load on servers in turn and compares their requests per second. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const ROUNDS = 5
const SECONDS = 3
/** Seconds of load before the first round, so that all code is compiled and every cache filled. */
const WARM_UP = 2

/** What wrk found out about a server. */
export interface Load {
  readonly perSecond: number
  /** Milliseconds. */
  readonly p99: number
  /**
   * Microseconds of processor time for each request, system included: hardly depends on what else the machine does.
   * `NaN` where the process is not known, or not on Linux.
   */
  readonly cpu: number
}

/** A server to measure. */
export interface Server {
  readonly url: string
  readonly headers?: Record<string, string>
  /** Of the process that answers; those that it started count too. */
  readonly pid?: number | undefined
}

/** Starts a script of this folder and resolves to the first line that it prints. */
export async function startServer(
  script: string,
  environment: Record<string, string> = {},
): Promise<{ line: string; pid: number | undefined; stop(): void }> {
  const child: ChildProcess = spawn(process.execPath, [join(import.meta.dirname, script)], {
    env: { ...process.env, NODE_ENV: 'production', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  process.once('exit', () => child.kill('SIGTERM'))
  if (!child.stdout) throw new Error('the server has no output')
  const [line] = await once(createInterface(child.stdout), 'line')
  return { line: String(line), pid: child.pid, stop: () => child.kill('SIGTERM') }
}

/** What wrk gets out of a server; every answer must be a 200. */
function measure({ url, headers = {}, pid }: Server, seconds: number): Load {
  const args = [
    ...['-t1', '-c16', `-d${seconds}s`, '--latency'],
    ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
    url,
  ]
  const before = processorTime(pid)
  const output = execFileSync('wrk', args, { encoding: 'utf8' })
  const time = processorTime(pid) - before
  if (/Non-2xx/.test(output)) throw new Error(`${url} did not answer 200:\n${output}`)
  const perSecond = Number(/Requests\/sec:\s*([\d.]+)/.exec(output)?.[1])
  const requests = Number(/(\d+) requests in/.exec(output)?.[1])
  const [, amount, unit = ''] = /99%\s+([\d.]+)(us|ms|s)/.exec(output) ?? []
  const p99 = Number(amount) * ({ us: 0.001, ms: 1, s: 1_000 }[unit] ?? Number.NaN)
  if (!Number.isFinite(perSecond) || !Number.isFinite(p99)) throw new Error(`wrk said something else:\n${output}`)
  return { perSecond, p99, cpu: time / requests }
}

/** Microseconds that a process and its children have spent so far; Linux counts them in hundredths of a second. */
function processorTime(pid: number | undefined): number {
  if (pid === undefined || process.platform !== 'linux') return Number.NaN
  const [, afterName = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const fields = afterName.split(' ')
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').map(Number).filter(Boolean)
  const own = (Number(fields[11]) + Number(fields[12])) * 10_000
  return children.reduce((sum, child) => sum + processorTime(child), own)
}

/** Measures all of them in turn, so that a machine that slows down slows all; answers the rounds of each, in order. */
export function measureInTurn(servers: readonly Server[]): Load[][] {
  // Before each round: V8 gives up compiled code of a large program that has been idle while the others were measured.
  const measureWarm = (server: Server) => {
    measure(server, WARM_UP)
    return measure(server, SECONDS)
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

/** Measures both in turn and prints the ratio of the medians. */
export function compare(title: string, ours: Server, koa: Server, aim: number): void {
  const [own = [], peer = []] = measureInTurn([ours, koa])
  const ratio = medianRatio(own, peer, 'perSecond')
  console.log(`${title}, ${CONDITIONS}`)
  printLoad('pentad', own)
  printLoad('minimal Koa', peer)
  printAim('ratio', ratio, aim)
}

export function printLoad(name: string, loads: readonly Load[]): void {
  const perSecond = median(loads.map((load) => load.perSecond)).toFixed(0)
  const p99 = median(loads.map((load) => load.p99)).toFixed(2)
  const cpu = median(loads.map((load) => load.cpu))
  const cost = Number.isFinite(cpu) ? `   ${cpu.toFixed(0).padStart(6)} µs of processor time` : ''
  console.log(`  ${name.padEnd(28)} ${perSecond.padStart(7)} requests/s   p99 ${p99.padStart(7)} ms${cost}`)
}

export function printAim(
  what: string,
  value: number,
  aim: number,
  direction: 'at least' | 'at most' = 'at least',
): void {
  const isMet = direction === 'at least' ? value >= aim : value <= aim
  const verdict = isMet ? 'met' : 'MISSED'
  console.log(`  ${what.padEnd(28)} ${value.toFixed(2).padStart(7)}  (aim: ${direction} ${aim.toFixed(2)}) ${verdict}`)
}
