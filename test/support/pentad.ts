/** The pentad command as a user runs it: a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const COMMAND = join(import.meta.dirname, '../../cli/index.ts')

interface Finished {
  readonly code: number | null
  readonly output: string
  readonly errors: string
}

/** Runs a command to its end. */
export async function pentad(siteDir: string, args: readonly string[], input = ''): Promise<Finished> {
  const child = launch(siteDir, args)
  const collected = collect(child)
  child.stdin?.end(input)
  const [code] = await once(child, 'close')
  return { code, ...collected }
}

export interface RunningSite {
  readonly url: string
  /** All that it printed up to now. */
  readonly output: () => string
  readonly pid: number
  /** Sends a signal and resolves to the exit code, `null` where the signal ended it. */
  end(signal?: NodeJS.Signals): Promise<number | null>
}

/** Runs `pentad start` on a free port until it serves. */
export async function startPentad(siteDir: string, args: readonly string[] = []): Promise<RunningSite> {
  const child = launch(siteDir, ['start', '--port', '0', ...args])
  const collected = collect(child)
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  child.stdout?.on('data', () => {
    const url = /Pentad serves (\S+)/.exec(collected.output)?.[1]
    if (url) resolve(url)
  })
  child.once('close', (code) =>
    reject(new Error(`pentad start ended with ${code}: ${collected.errors}${collected.output}`)),
  )
  return {
    url: await promise,
    output: () => collected.output,
    pid: child.pid ?? 0,
    async end(signal = 'SIGTERM') {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
      const closed = once(child, 'close')
      child.kill(signal)
      const [code] = await closed
      return code
    },
  }
}

/** Begins a command; what it does with it is the caller's. */
export function launch(siteDir: string, args: readonly string[]): ChildProcess {
  const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('PENTAD_')))
  return spawn(process.execPath, [COMMAND, '--site', siteDir, ...args], { env: environment, stdio: 'pipe' })
}

function collect(child: ChildProcess): { output: string; errors: string } {
  const collected = { output: '', errors: '' }
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    collected.output += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    collected.errors += text
  })
  return collected
}
