import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Why the process ended.
 * - `blocked`: synchronous code blocked the event loop for too long.
 * - `memory`: the heap or the process exceeded its memory limit.
 * - `crash`: Node aborted and printed a stack in which an extension is the topmost owner. Recorded by the supervisor, which knows no
 *   extensions: the next start identifies the extension by the first frame.
 */
export type FaultKind = 'blocked' | 'memory' | 'crash'

/** Why the process of a site ended, as recorded by the process itself. */
export interface Fault {
  readonly kind: FaultKind
  /** Which process it was: the one that serves the site, or a command. */
  readonly process: 'server' | 'command'
  /** Id of the responsible extension; `null` if there is no evidence. */
  readonly extension: string | null
  /** Name of the hook whose callback was running. */
  readonly hook: string | null
  /** The author's file and line: `sieve/index.ts:12`. */
  readonly place: string | null
  /** JavaScript that was running, one frame a line, innermost first. Empty if it could not be read. */
  readonly stack: string
  /** Seconds for which the event loop had been blocked. */
  readonly seconds: number
}

/** Folder of faults that have not been processed at a start yet, one file each. */
export function faultFolder(siteDir: string): string {
  return join(siteDir, 'faults')
}

/**
 * Records a fault for the next start of the site. Synchronous and durable, because the process ends right after it; imports only Node's own
 * modules, because it runs in a thread that uses memory on every site.
 * @throws Error if the folder is not writable
 */
export function recordFault(siteDir: string, fault: Fault): void {
  const folder = faultFolder(siteDir)
  mkdirSync(folder, { recursive: true })
  // Not from node:crypto, which takes 5 ms and memory in the processes that start a site and watch it.
  const name = `${Date.now()}-${Math.random().toString(36).slice(2)}`
  const temporary = join(folder, `${name}.tmp`)
  const file = openSync(temporary, 'wx', 0o600)
  try {
    writeSync(file, `${JSON.stringify(fault)}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(temporary, join(folder, `${name}.json`))
  // Windows has no way to open a folder, and its renames are journaled.
  if (process.platform === 'win32') return
  const opened = openSync(folder, 'r')
  try {
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
}

/** Why an extension is paused after a fault, for the owner of the site. */
export function describeFault(fault: Omit<Fault, 'stack' | 'extension'>): string {
  const { kind, hook, place, seconds } = fault
  const [ended, blocked] = fault.process === 'server' ? ['the site', 'the site'] : ['a command', 'it']
  const where = [hook && ` in ${hook}`, place && ` (${place})`].filter(Boolean).join('')
  const what = {
    blocked: `its code blocked ${blocked} for more than ${Math.floor(seconds)} s, for example with an infinite loop`,
    memory: 'it ran out of memory',
    crash: 'its code crashed the process',
  }[kind]
  return `It stopped ${ended}: ${what}${where}.`
}

/** Faults that were not processed at a start yet. Synchronous and without schemas, to keep the memory of the supervisor low. */
export function unreadFaults(siteDir: string): { readonly kind: unknown; readonly extension: unknown }[] {
  try {
    const folder = faultFolder(siteDir)
    const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
    return names.flatMap((name) => {
      const fault: unknown = JSON.parse(readFileSync(join(folder, name), 'utf8'))
      const isFault = typeof fault === 'object' && fault !== null && 'kind' in fault && 'extension' in fault
      return isFault ? { kind: fault.kind, extension: fault.extension } : []
    })
  } catch {
    // There is no folder, or another process of the site took a file meanwhile.
    return []
  }
}
