import { type ChildProcess, fork } from 'node:child_process'
import cluster from 'node:cluster'
import { once } from 'node:events'
import { constants } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { recordFault, unreadFaults } from '../../app/faults/fault.ts'
import { type Exit, readCrash } from './crash.ts'
import { isServerMessage, SUPERVISED } from './messages.ts'

/** This many unexpected ends within this many milliseconds are a crash loop. */
const CRASH_LOOP = { ends: 3, within: 60_000 }
/** This many ends for lack of memory without an identified extension indicate a leak that a restart does not fix. */
const LEAK = { ends: 3, within: 3_600_000 }
/** Signals that are forwarded: on the first three `start` closes the site; SIGUSR1 opens Node's inspector. */
const FORWARDED: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR1']

/** Megabytes of each of V8's semi-spaces: its default of 64 takes 65 MB more memory, and saves 2% of the CPU time of requests. */
export const SEMI_SPACE = '--max-semi-space-size=8'

/**
 * For glibc: with its defaults, each thread keeps large buffers that it freed, which takes 50 MB more during a backup. A variable that is set
 * already counts.
 */
export const MALLOC: Readonly<Record<string, string>> = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' }

/** stderr is piped, because Node prints the stack of fatal errors there. */
const STDIO: ('inherit' | 'pipe' | 'ipc')[] = ['inherit', 'inherit', 'pipe', 'ipc']
/** Bytes of the server's last stderr output to store: Node's native stack alone may take 5 KB. */
const TAIL = 16_384
/** Milliseconds for remaining output and messages after the process ended. Child processes may hold stderr open forever. */
const DRAIN_TIME = 1000

interface End {
  readonly code: number
  /** Description for the administrator: `signal SIGKILL`. */
  readonly cause: string
  /** Whether the server closed the site, or said why it could not start. */
  readonly isOrderly: boolean
  /** Whether the memory was used up and no extension could be named, which would be paused at the next start. */
  readonly isLeak: boolean
}

/**
 * Runs `pentad start` in a child process and restarts it when it ends unexpectedly; several of them accept connections to one port, which
 * stays open while one of them is replaced. They end together. After a crash loop the site starts in safe mode; if
 * that crashes as often, the supervisor exits. Also starts in safe mode after three ends within an hour for lack of memory without an
 * identified extension. The supervisor imports only parts of the host that depend on nothing but Node's modules, because its memory adds to
 * the site's.
 * @returns the exit code for this process
 */
export async function supervise({
  safeMode: startsSafe = false,
  workers = 1,
}: {
  safeMode?: boolean
  workers?: number
} = {}): Promise<number> {
  let safeMode = startsSafe
  const servers = new Set<ChildProcess>()
  const serving = Promise.withResolvers<void>()
  let isStopping = false
  let ends: number[] = []
  let leaks: number[] = []
  let port: number | undefined
  let siteDir: string | undefined
  // The reader of stderr may have closed it; the site continues.
  process.stderr.on('error', () => {})
  for (const signal of FORWARDED) {
    process.on(signal, () => {
      isStopping ||= signal !== 'SIGUSR1'
      for (const server of servers) server.kill(signal)
    })
  }
  const all = [keepRunning(1)]
  // The first one creates or migrates the site, and finds a free port if any will do.
  await Promise.race([serving.promise, ...all])
  while (!isStopping && all.length < workers) all.push(keepRunning(all.length + 1))
  const code = await Promise.race(all)
  for (const server of servers) server.kill('SIGTERM')
  return Math.max(code, ...(await Promise.all(all)))

  function start(worker: number): ChildProcess {
    // The last of an option given twice counts.
    const more = [...(port === undefined ? [] : ['--port', String(port)]), ...(safeMode ? ['--safe-mode'] : [])]
    const [, script = '', ...args] = process.argv
    const env = { ...MALLOC, ...process.env, [SUPERVISED]: `${worker}/${workers}` }
    const execArgv = isSemiSpaceChosen() ? process.execArgv : [...process.execArgv, SEMI_SPACE]
    if (workers === 1) return fork(script, [...args, ...more], { env, execArgv, stdio: STDIO })
    // Workers accept connections from one socket. Connections that a cluster passes to its workers would hang if the worker was killed.
    cluster.schedulingPolicy = cluster.SCHED_NONE
    cluster.setupPrimary({ exec: script, args: [...args, ...more], execArgv, stdio: STDIO })
    return cluster.fork(env).process
  }

  /** @returns the exit code of a worker that ended as intended */
  async function keepRunning(worker: number): Promise<number> {
    for (;;) {
      const wasSafe = safeMode
      const child = start(worker)
      servers.add(child)
      const end = await endOf(child)
      servers.delete(child)
      isStopping ||= end.isOrderly
      if (isStopping) return end.code
      // It had started before another one made the site change to safe mode.
      if (wasSafe !== safeMode) continue
      const code = note(end, workers === 1 ? 'The site' : `Worker ${worker}`)
      if (code === undefined) continue
      isStopping = true
      return code
    }
  }

  /** Notes the unexpected end of a worker. @returns the exit code if the site cannot run */
  function note(end: End, name: string): number | undefined {
    const now = Date.now()
    ends = [...ends.filter((time) => now - time < CRASH_LOOP.within), now]
    if (end.isLeak) leaks = [...leaks.filter((time) => now - time < LEAK.within), now]
    const isLeak = leaks.length >= LEAK.ends && !safeMode
    const isLoop = ends.length >= CRASH_LOOP.ends
    if (isLoop && safeMode) {
      console.error(
        `pentad: The site stopped unexpectedly ${ends.length} times within a minute in safe mode (${end.cause}).`,
      )
      return end.code
    }
    console.error(
      isLeak
        ? `pentad: The site ran out of memory ${leaks.length} times within an hour, and no extension could be identified (${end.cause}). It is being restarted in safe mode.`
        : isLoop
          ? `pentad: The site stopped unexpectedly ${ends.length} times within a minute (${end.cause}). It is being restarted in safe mode.`
          : `pentad: ${name} stopped unexpectedly (${end.cause}). It is being restarted.`,
    )
    if (isLeak || isLoop) {
      safeMode = true
      ends = []
    }
    return undefined
  }

  async function endOf(child: ChildProcess): Promise<End> {
    let isOrderly = false
    child.on('message', (message) => {
      if (!isServerMessage(message)) return
      if ('port' in message) {
        port = message.port
        serving.resolve()
      } else if ('siteDir' in message) siteDir = message.siteDir
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

function isSemiSpaceChosen(): boolean {
  return /--max[-_]semi[-_]space[-_]size/.test(`${process.env.NODE_OPTIONS ?? ''} ${process.execArgv.join(' ')}`)
}

/** Forwards the server's stderr. @returns a function for its last output */
function passErrors({ stderr }: ChildProcess): () => string {
  let kept = Buffer.alloc(0)
  stderr?.on('data', (chunk: Buffer) => {
    process.stderr.write(chunk)
    kept = Buffer.concat([kept, chunk]).subarray(-TAIL)
  })
  return () => kept.toString()
}

/** Records a crash, so that the next start pauses the responsible extension, unless the process has recorded itself why it ends. */
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
