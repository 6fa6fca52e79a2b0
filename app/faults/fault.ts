import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/**
 * What took the whole process down.
 *
 * - `blocked`: synchronous code kept the event loop from running for too long.
 * - `memory`: the heap was full, or the memory that the process may take.
 * - `crash`: Node itself ended it, and printed a stack in which an extension is the topmost one. The supervisor records it,
 *   who knows no extensions: the next start finds the one to blame by the first frame.
 */
export type FaultKind = 'blocked' | 'memory' | 'crash'

/** Why the process of a site was ended, as the process wrote it down last. */
export interface Fault {
  readonly kind: FaultKind
  /** Which process it was: the one that serves the site, or a command. */
  readonly process: 'server' | 'command'
  /** Id of the extension whose code is to blame; `null` if there is no evidence against one. */
  readonly extension: string | null
  /** Name of the hook whose callback was running. */
  readonly hook: string | null
  /** The author's file and line: `sieve/index.ts:12`. */
  readonly place: string | null
  /** JavaScript that was running, one frame a line, innermost first. Empty if it could not be read. */
  readonly stack: string
  /** How long the event loop had been blocked. Seconds. */
  readonly seconds: number
}

/** Folder of the faults that no start has read yet, one file each. */
export function faultFolder(siteDir: string): string {
  return join(siteDir, 'faults')
}

/**
 * Writes a fault down for the next start of the site. Synchronous and durable, because the process ends right after it;
 * imports nothing but Node's own modules, because a thread runs it whose memory every site pays for.
 *
 * @throws Error if the folder cannot be written
 */
export function recordFault(siteDir: string, fault: Fault): void {
  const folder = faultFolder(siteDir)
  mkdirSync(folder, { recursive: true })
  const name = `${Date.now()}-${randomBytes(4).toString('hex')}`
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

/**
 * The faults that no start has read yet. Synchronous and without schemas, because the supervisor asks, whose memory comes
 * on top of the site's.
 */
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
