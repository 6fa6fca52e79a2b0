import { spawn } from 'node:child_process'
import { once } from 'node:events'

const SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * Runs `applyUpgrade` in a process of its own, so that this one can roll back even if the new version crashes or is interrupted. That
 * process prints its errors.
 * @returns whether it succeeded
 */
export async function applyInChild(): Promise<boolean> {
  const [script = '', ...args] = process.argv.slice(1)
  const child = spawn(process.execPath, [...process.execArgv, script, ...args, '--apply'], { stdio: 'inherit' })
  // A terminal sends Ctrl+C to both processes; this one must remain to roll back.
  const forward = (signal: NodeJS.Signals) => child.kill(signal)
  for (const signal of SIGNALS) process.on(signal, forward)
  try {
    const [code, signal] = await once(child, 'close')
    if (signal !== null) console.error(`The process that migrates the site was terminated by ${signal}.`)
    return code === 0
  } finally {
    for (const one of SIGNALS) process.off(one, forward)
  }
}
