import type { Host } from '../core/host.ts'

type Blamed = Pick<Host, 'extensions'>
type Refuse = (what: string) => void

/**
 * Keeps an extension from ending the process: `process.exit`, `process.reallyExit`, `process.abort`, `process.disconnect` and
 * signals to the process itself throw where an extension calls them, and the extension is paused. The command's own calls go
 * through.
 *
 * @returns `blame`, for `createHost`: from then on that host tells who is calling.
 */
export function refuseExits(): { blame(host: Blamed): void; refuse: Refuse } {
  let host: Blamed | undefined
  const refuse = (what: string) => {
    if (host?.extensions.reportExit(what)) throw new Error(`${what} was refused: an extension must not end the site.`)
  }
  return {
    blame(next) {
      if (!host) guardProcess(refuse)
      host = next
    },
    refuse,
  }
}

function guardProcess(refuse: Refuse): void {
  const { exit, abort, kill, disconnect } = process
  process.exit = (code) => {
    refuse(`process.exit(${code ?? ''})`)
    return exit.call(process, code)
  }
  // What `process.exit` ends with, and some packages call themselves. It has no type.
  const reallyExit: unknown = Reflect.get(process, 'reallyExit')
  if (typeof reallyExit === 'function') {
    Reflect.set(process, 'reallyExit', (code?: number) => {
      refuse(`process.reallyExit(${code ?? ''})`)
      return reallyExit.call(process, code)
    })
  }
  process.abort = () => {
    refuse('process.abort()')
    return abort.call(process)
  }
  // Without its channel the process takes its supervisor for dead, and ends. It has none where it is not supervised.
  if (disconnect !== undefined) {
    process.disconnect = () => {
      refuse('process.disconnect()')
      disconnect.call(process)
    }
  }
  process.kill = (pid, signal) => {
    // Not positive: a group of processes, most often this one's own.
    const isOwn = pid <= 0 || pid === process.pid || pid === process.ppid
    if (isOwn && signal !== 0) refuse(`process.kill(${pid}, ${signal ?? "'SIGTERM'"})`)
    return kill.call(process, pid, signal)
  }
}
