import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const SCRIPT = fileURLToPath(new URL('./second-process.ts', import.meta.url))

/** Starts another process of the same site. */
export function startProcess(site: Record<string, unknown>): ChildProcess {
  return spawn(process.execPath, [SCRIPT, JSON.stringify(site)], { stdio: ['ignore', 'ignore', 'inherit'] })
}

/** Ends it as a power cut would. */
export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await gone
}

/** One line a thing that happened, in order: `[what, number, process id]`. */
export function readEvents(file: string): [what: string, n: number, pid: number][] {
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [what = '', n, pid] = line.split(' ')
      return [what, Number(n), Number(pid)]
    })
}
