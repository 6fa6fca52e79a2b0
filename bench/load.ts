/** Puts load on two servers in turn and compares their requests per second. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const ROUNDS = 5
const SECONDS = 4

/** Starts a script of this folder and resolves to the first line that it prints. */
export async function startServer(
  script: string,
  environment: Record<string, string> = {},
): Promise<{ line: string; stop(): void }> {
  const child: ChildProcess = spawn(process.execPath, [join(import.meta.dirname, script)], {
    env: { ...process.env, NODE_ENV: 'production', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (!child.stdout) throw new Error('the server has no output')
  const [line] = await once(createInterface(child.stdout), 'line')
  return { line: String(line), stop: () => child.kill('SIGTERM') }
}

/** Requests per second that wrk gets out of a URL; every answer must be a 200. */
function measure(url: string, headers: Record<string, string>): number {
  const args = [
    '-t1',
    '-c16',
    `-d${SECONDS}s`,
    ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
    url,
  ]
  const output = execFileSync('wrk', args, { encoding: 'utf8' })
  if (/Non-2xx/.test(output)) throw new Error(`${url} did not answer 200:\n${output}`)
  const perSecond = Number(/Requests\/sec:\s*([\d.]+)/.exec(output)?.[1])
  if (!Number.isFinite(perSecond)) throw new Error(`wrk said something else:\n${output}`)
  return perSecond
}

/** Measures both in turn, so that a machine that slows down slows both, and prints the ratio of the medians. */
export function compare(
  title: string,
  ours: { url: string; headers?: Record<string, string> },
  koa: { url: string },
  aim: number,
): void {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const own = measure(ours.url, ours.headers ?? {})
    const peer = measure(koa.url, {})
    return { own, peer, ratio: own / peer }
  })
  const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
  const own = median(rounds.map((round) => round.own))
  const peer = median(rounds.map((round) => round.peer))
  const ratio = median(rounds.map((round) => round.ratio))
  console.log(`${title}, median of ${ROUNDS} rounds of ${SECONDS} s with 16 connections`)
  console.log(`  pentad       ${own.toFixed(0).padStart(7)} requests/s`)
  console.log(`  minimal Koa  ${peer.toFixed(0).padStart(7)} requests/s`)
  console.log(
    `  ratio        ${ratio.toFixed(2).padStart(7)}  (aim: at least ${aim.toFixed(2)}) ${ratio >= aim ? 'met' : 'MISSED'}`,
  )
}
