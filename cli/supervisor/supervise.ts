import { type ChildProcess, fork, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { recordFault, unreadFaults } from '../../app/faults/fault.ts'
import { type Exit, readCrash } from './crash.ts'
import { isServerMessage, SUPERVISED } from './messages.ts'

/** So many unexpected ends within so many milliseconds are a crash loop. */
const CRASH_LOOP = { ends: 3, within: 60_000 }
/** As many for want of memory, of which no extension could be named, show a leak that a restart does not cure. Milliseconds. */
const LEAK = { ends: 3, within: 3_600_000 }
/** What the server does on these is up to it: `start` closes the site, SIGUSR1 opens Node's inspector. */
const FORWARDED: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR1']

/** The errors come through here: where Node itself ends the process, its last words say whose code it was. */
const STDIO: StdioOptions = ['inherit', 'inherit', 'pipe', 'ipc']
/** How much is kept of what the server wrote to stderr last. Bytes: Node's native stack alone may take 5 KB. */
const TAIL = 16_384
/** How long output and messages may take to arrive after the process ended. What it started may hold stderr open for ever. */
const DRAIN_TIME = 1000

interface End {
  readonly code: number
  /** What to tell the owner: `signal SIGKILL`. */
  readonly cause: string
  /** Whether the server closed the site, or said why it could not start. */
  readonly isOrderly: boolean
  /** Whether the memory was used up and no extension could be named, which would be paused at the next start. */
  readonly isLeak: boolean
}

/**
 * Runs `pentad start` in a process of its own and starts it again when that process ends unexpectedly. After a crash
 * loop the site starts in safe mode; if that ends as often, the supervisor gives up. It starts in safe mode also after
 * three ends within an hour for memory that nobody could be named for. The supervisor imports nothing of the host but
 * what uses Node's modules alone, since its memory comes on top of the site's.
 *
 * @returns the exit code for this process.
 */
export async function supervise({ safeMode: startsSafe = false }: { safeMode?: boolean } = {}): Promise<number> {
  let safeMode = startsSafe
  let server: ChildProcess | undefined
  let isStopping = false
  let port: number | undefined
  let siteDir: string | undefined
  // Who read stderr may be gone; the site goes on.
  process.stderr.on('error', () => {})
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
    const child = fork(script, [...args, ...more], { env: { ...process.env, [SUPERVISED]: '1' }, stdio: STDIO })
    server = child
    return endOf(child)
  }

  let leaks: number[] = []
  for (let ends: number[] = []; ; ) {
    const end = await run()
    if (isStopping || end.isOrderly) return end.code
    const now = Date.now()
    ends = [...ends.filter((time) => now - time < CRASH_LOOP.within), now]
    if (end.isLeak) leaks = [...leaks.filter((time) => now - time < LEAK.within), now]
    const isLeak = leaks.length >= LEAK.ends && !safeMode
    const isLoop = ends.length >= CRASH_LOOP.ends
    if (isLoop && safeMode) {
      console.error(
        `pentad: The site ended unexpectedly ${ends.length} times within a minute in safe mode (${end.cause}).`,
      )
      return end.code
    }
    console.error(
      isLeak
        ? `pentad: The site ran out of memory ${leaks.length} times within an hour, and no extension could be identified (${end.cause}). It starts in safe mode.`
        : isLoop
          ? `pentad: The site ended unexpectedly ${ends.length} times within a minute (${end.cause}). It starts in safe mode.`
          : `pentad: The site ended unexpectedly (${end.cause}). It starts again.`,
    )
    if (isLeak || isLoop) {
      safeMode = true
      ends = []
    }
  }

  async function endOf(child: ChildProcess): Promise<End> {
    let isOrderly = false
    child.on('message', (message) => {
      if (!isServerMessage(message)) return
      if ('port' in message) port = message.port
      else if ('siteDir' in message) siteDir = message.siteDir
      else isOrderly = true
    })
    const tail = passErrors(child)
    // At `exit` a message may still be on its way; at `close` all of them have arrived.
    const closed = once(child, 'close')
    await once(child, 'exit')
    await Promise.race([closed, wait(DRAIN_TIME)])
    const { exitCode, signalCode } = child
    if (!isOrderly && siteDir !== undefined) noteCrash(siteDir, tail(), { code: exitCode, signal: signalCode })
    return {
      code: exitCode ?? 128 + constants.signals[signalCode ?? 'SIGKILL'],
      cause: signalCode ? `signal ${signalCode}` : `exit code ${exitCode}`,
      isOrderly,
      isLeak:
        siteDir !== undefined &&
        unreadFaults(siteDir).some(({ kind, extension }) => kind === 'memory' && extension === null),
    }
  }
}

/** Passes on at once what the server writes to stderr. @returns what it wrote last */
function passErrors({ stderr }: ChildProcess): () => string {
  let kept = Buffer.alloc(0)
  stderr?.on('data', (chunk: Buffer) => {
    process.stderr.write(chunk)
    kept = Buffer.concat([kept, chunk]).subarray(-TAIL)
  })
  return () => kept.toString()
}

/** Has the next start pause the extension whose code Node says ended the process, unless the process said itself why it ends. */
function noteCrash(siteDir: string, tail: string, exit: Exit): void {
  const stack = readCrash(tail, exit)
  if (stack === undefined || unreadFaults(siteDir).length > 0) return
  try {
    recordFault(siteDir, {
      ...{ kind: 'crash', process: 'server', extension: null, hook: null, place: null, stack, seconds: 0 },
    })
  } catch (error) {
    console.error(`pentad: Could not record why the site ended: ${error}`)
  }
}
