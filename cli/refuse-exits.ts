import type { EventEmitter } from 'node:events'
import type { Site } from '../app/create-site.ts'

type Blamed = Pick<Site, 'blame'>
type Refuse = (what: string, harm: string) => void

const END = 'end the whole site'
const CHANGE = 'change the process of the whole site'

/** A listener that throws there ends the process; the site attributes such errors to their extensions itself. */
const LAST_RESORT = ['uncaughtException', 'uncaughtExceptionMonitor']
/** Events that Node emits when the process ends, or when its supervisor sends a message. */
const LIFE_CYCLE = ['exit', 'beforeExit', 'disconnect', 'message', 'internalMessage']

/**
 * Prevents extensions from ending or changing the shared process: such calls of `process`, of its output streams, and signals to the
 * process throw if made by an extension, and the extension is paused. Calls by the product are allowed. This prevents mistakes only;
 * malicious code can bypass it.
 */
export function refuseExits(): { blame(host: Blamed): void } {
  let host: Blamed | undefined
  let isReporting = false
  const refuse: Refuse = (what, harm) => {
    // Node is ending the process because of an error in an error handler, which cannot be prevented.
    if (isReporting) return
    isReporting = true
    try {
      if (!host?.blame.reportExit(what, harm)) return
    } finally {
      isReporting = false
    }
    throw new Error(`${what} was blocked: an extension must not ${harm}.`)
  }
  return {
    blame(next) {
      if (!host) guardProcess(refuse)
      host = next
    },
  }
}

/** Called after the process's own listeners were added, which extensions must not remove. */
function guardProcess(refuse: Refuse): void {
  // Typed as a generic emitter, because the types of `process` allow only its own events.
  const emitter: EventEmitter = process
  const own = new Set<unknown>(
    emitter.eventNames().flatMap((event) => [...emitter.listeners(event), ...emitter.rawListeners(event)]),
  )

  function guard(
    path: string,
    target: object,
    names: readonly string[],
    harm: string,
    isHarmful: (args: readonly unknown[]) => boolean = () => true,
  ): void {
    for (const name of names) {
      const method: unknown = Reflect.get(target, name)
      // Some exist on some systems, in some versions of Node, or in a supervised process only.
      if (typeof method !== 'function') continue
      Reflect.set(target, name, function (this: unknown, ...args: unknown[]): unknown {
        if (isHarmful(args)) refuse(`${path}.${name}(${args.map(describe).join(', ')})`, harm)
        return Reflect.apply(method, this, args)
      })
    }
  }

  // `process.exit` calls `reallyExit`, which some packages call directly. If the channel is closed, the process takes its supervisor for
  // dead and ends; messages to the supervisor decide whether the site is restarted.
  guard('process', process, ['exit', 'reallyExit', 'abort', 'execve', 'disconnect', 'send'], END)
  guard('process', process, ['emit'], END, ([event]) => LIFE_CYCLE.includes(String(event)) || isSignal(event))
  guard('process', process, ['chdir'], CHANGE)
  guard('process', process, ['setuid', 'seteuid', 'setgid', 'setegid', 'setgroups', 'initgroups'], CHANGE)
  guard('process', process, ['umask'], CHANGE, ([mask]) => mask !== undefined)
  guard(
    'process',
    process,
    ['setUncaughtExceptionCaptureCallback', 'addUncaughtExceptionCaptureCallback', 'removeAllListeners'],
    CHANGE,
  )
  guard('process', process, ['removeListener', 'off'], CHANGE, ([, listener]) => own.has(listener))
  guard(
    'process',
    process,
    ['on', 'addListener', 'prependListener', 'once', 'prependOnceListener'],
    CHANGE,
    ([event]) => LAST_RESORT.includes(String(event)),
  )
  for (const stream of ['stdout', 'stderr'] as const) {
    guard(`process.${stream}`, process[stream], ['end', 'destroy', 'destroySoon'], CHANGE)
  }

  const { kill } = process
  process.kill = (pid, signal) => {
    // Not positive: a group of processes, most often this one's own.
    const isOwn = pid <= 0 || pid === process.pid || pid === process.ppid
    if (isOwn && signal !== 0) refuse(`process.kill(${pid}, ${describe(signal ?? 'SIGTERM')})`, END)
    return kill.call(process, pid, signal)
  }
}

function isSignal(event: unknown): boolean {
  return typeof event === 'string' && /^SIG[A-Z0-9]+$/.test(event)
}

/** Formats an argument for a message, if it is short. */
function describe(argument: unknown): string {
  if (typeof argument === 'string') return `'${argument.slice(0, 100)}'`
  return typeof argument === 'object' || typeof argument === 'function' ? `<${typeof argument}>` : String(argument)
}
