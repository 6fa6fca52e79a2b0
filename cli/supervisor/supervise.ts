import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import { isServerMessage, SUPERVISED } from './messages.ts'

/** So many unexpected ends within so many milliseconds are a crash loop. */
const CRASH_LOOP = { ends: 3, within: 60_000 }
/** What the server does on these is up to it: `start` closes the site, SIGUSR1 opens Node's inspector. */
const FORWARDED: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR1']

interface End {
  readonly code: number
  /** What to tell the owner: `signal SIGKILL`. */
  readonly cause: string
  /** Whether the server closed the site, or said why it could not start. */
  readonly isOrderly: boolean
}

/**
 * Runs `pentad start` in a process of its own and starts it again when that process ends unexpectedly. After a crash
 * loop the site starts in safe mode; if that ends as often, the supervisor gives up. It imports nothing of the host, since
 * its memory comes on top of the site's.
 *
 * @returns the exit code for this process.
 */
export async function supervise({ safeMode: startsSafe = false }: { safeMode?: boolean } = {}): Promise<number> {
  let safeMode = startsSafe
  let server: ChildProcess | undefined
  let isStopping = false
  let port: number | undefined
  for (const signal of FORWARDED) {
    process.on(signal, () => {
      isStopping ||= signal !== 'SIGUSR1'
      server?.kill(signal)
    })
  }

  function run(): Promise<End> {
    // The last of an option given twice counts.
    const more = [...(port === undefined ? [] : ['--port', String(port)]), ...(safeMode ? ['--safe-mode'] : [])]
    const [, script = '', ...args] = process.argv
    const child = fork(script, [...args, ...more], { env: { ...process.env, [SUPERVISED]: '1' }, stdio: 'inherit' })
    server = child
    return endOf(child, (used) => {
      port = used
    })
  }

  for (let ends: number[] = []; ; ) {
    const end = await run()
    if (isStopping || end.isOrderly) return end.code
    const now = Date.now()
    ends = [...ends.filter((time) => now - time < CRASH_LOOP.within), now]
    const isLoop = ends.length >= CRASH_LOOP.ends
    if (isLoop && safeMode) {
      console.error(
        `pentad: The site ended unexpectedly ${ends.length} times within a minute in safe mode (${end.cause}).`,
      )
      return end.code
    }
    console.error(
      isLoop
        ? `pentad: The site ended unexpectedly ${ends.length} times within a minute (${end.cause}). It starts in safe mode.`
        : `pentad: The site ended unexpectedly (${end.cause}). It starts again.`,
    )
    if (isLoop) {
      safeMode = true
      ends = []
    }
  }
}

async function endOf(child: ChildProcess, onPort: (port: number) => void): Promise<End> {
  let isOrderly = false
  child.on('message', (message) => {
    if (!isServerMessage(message)) return
    if ('port' in message) onPort(message.port)
    else isOrderly = true
  })
  // At `exit` a message may still be on its way; at `close` all of them have arrived.
  await once(child, 'close')
  const { exitCode, signalCode } = child
  return {
    code: exitCode ?? 128 + constants.signals[signalCode ?? 'SIGKILL'],
    cause: signalCode ? `signal ${signalCode}` : `exit code ${exitCode}`,
    isOrderly,
  }
}
