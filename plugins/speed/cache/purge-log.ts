import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fdatasyncSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { flushFolderSync, type Logger } from 'pentad'
import { z } from 'zod'

/** A place in the order of purges. Whatever was rendered from then on knows of every purge before it. */
export interface Moment {
  /** Everything of another epoch is gone. */
  readonly epoch: string
  /** Length of the log in bytes. */
  readonly at: number
}

/** What of a page decides whether a purge concerns it. */
export interface Purgeable {
  readonly path: string
  readonly tags: readonly string[]
  readonly moment: Moment
}

const ruleSchema = z.object({
  paths: z.array(z.string()).optional(),
  tags: z.array(z.string()).optional(),
  /** Paths that are only to be rendered anew. */
  stale: z.array(z.string()).optional(),
  /** It repeats what another process purged. */
  again: z.literal(true).optional(),
})
const lineSchema = ruleSchema.extend({
  /** Which process wrote it. */
  by: z.string().optional(),
})
export type PurgeRule = z.output<typeof ruleSchema>

/**
 * Purges in their order, in one file that all processes of a site append to. Pages that were rendered before a purge
 * that concerns them are invalid, wherever they lie and whoever rendered them: nothing has to be looked for on disk, and
 * what was purged stays so after a crash.
 */
export interface PurgeLog {
  /** Counts up whenever pages may have become invalid. */
  readonly version: number
  /** When anything was last purged or marked stale, in milliseconds since 1970. */
  readonly changedAt: number
  now(): Moment
  /** Flushed to the disk when it returns. */
  append(rule: PurgeRule): void
  /** Makes all pages invalid, in a new epoch. */
  beginAnew(): void
  /** Takes in what other processes appended; cheap if they did not. */
  follow(): void
  isPurged(page: Purgeable): boolean
  /** Whether it is to be rendered anew, though it may be shown once more. */
  isStale(page: Purgeable): boolean
}

/** Bytes after which a new epoch is cheaper than remembering all that was purged. */
const MAX_LOG = 1024 * 1024
/** Every log begins with a line of that length: `{"epoch":"<24 hex digits>"}`. */
const HEAD = /^\{"epoch":"([\da-f]{24})"\}\n/
const HEAD_LENGTH = 37

/**
 * @param folder where the log lies; made if it is missing
 * @param options.onForeign takes what another process purges from now on; what only repeats is left out
 */
export function createPurgeLog(
  folder: string,
  log: Logger,
  { onForeign }: { onForeign?: (rule: PurgeRule | 'all') => void } = {},
): PurgeLog {
  const file = join(folder, 'purges.log')
  const self = randomBytes(6).toString('hex')
  const purgedPaths = new Map<string, number>()
  const purgedTags = new Map<string, number>()
  const stalePaths = new Map<string, number>()
  let epoch = ''
  let at = 0
  let version = 0
  let changedAt = 0
  let signature = ''
  let isOpen = false
  /** What others purged, as it is read. */
  let foreign: (PurgeRule | 'all')[] = []

  function enter(newEpoch: string): void {
    epoch = newEpoch
    at = HEAD_LENGTH
    for (const rules of [purgedPaths, purgedTags, stalePaths]) rules.clear()
    changedAt = Date.now()
    version++
  }

  function apply(line: string, end: number): void {
    const rule = lineSchema.parse(JSON.parse(line))
    const { paths = [], tags = [], stale = [], again, by } = rule
    for (const path of paths) purgedPaths.set(path, end)
    for (const tag of tags) purgedTags.set(tag, end)
    for (const path of stale) stalePaths.set(path, end)
    changedAt = Date.now()
    // What is only stale stays valid, and so does the rendering of it that others may be waiting for.
    if (paths.length === 0 && tags.length === 0) return
    version++
    if (isOpen && by !== self && !again) foreign.push({ paths, tags })
  }

  /** Takes in whole lines; a line that is still being written is left for the next time. */
  function applyLines(added: Buffer): void {
    const end = added.lastIndexOf('\n') + 1
    if (end === 0) return
    for (let start = 0; start < end; ) {
      const stop = added.indexOf('\n', start) + 1
      apply(added.toString('utf8', start, stop - 1), at + stop)
      start = stop
    }
    at += end
  }

  function follow(): void {
    const stats = statSync(file, { bigint: true, throwIfNoEntry: false })
    const seen = stats ? `${stats.ino} ${stats.size} ${stats.mtimeNs}` : ''
    if (seen === signature) return
    signature = seen
    try {
      read()
    } catch (error) {
      log.warn({ err: error }, 'the log of purges cannot be read, the page cache begins anew')
      beginAnew()
    }
    // After that: what fails there does not make the log unreadable.
    const found = foreign
    foreign = []
    for (const rule of found) onForeign?.(rule)
  }

  function read(): void {
    const handle = openSync(file, 'r')
    try {
      const head = Buffer.alloc(HEAD_LENGTH)
      readSync(handle, head, 0, HEAD_LENGTH, 0)
      const found = HEAD.exec(head.toString('latin1'))?.[1]
      if (found === undefined) throw new Error(`${file} does not begin as it should.`)
      const { size } = fstatSync(handle)
      if (size > MAX_LOG * 2) throw new Error(`${file} is too long.`)
      if (found !== epoch || size < at) {
        enter(found)
        if (isOpen) foreign.push('all')
      }
      const added = Buffer.alloc(size - at)
      applyLines(added.subarray(0, readSync(handle, added, 0, added.length, at)))
    } finally {
      closeSync(handle)
    }
  }

  /** By a new file under a temporary name, so that nobody ever reads half of it. */
  function beginAnew(): void {
    const newEpoch = randomBytes(12).toString('hex')
    const temporary = `${file}.${newEpoch}.tmp`
    try {
      mkdirSync(folder, { recursive: true })
      write(temporary, 'wx', `{"epoch":"${newEpoch}"}\n`)
      renameSync(temporary, file)
      flushFolderSync(folder)
    } catch (error) {
      removeIfPossible(temporary)
      // Of an epoch that only this process knows: what is on the disk is not used until the log can be written again.
      log.error({ err: error }, 'the log of purges cannot be written, the page cache goes on in memory')
    }
    enter(newEpoch)
  }

  function append(rule: PurgeRule): void {
    follow()
    if (at > MAX_LOG) {
      beginAnew()
      return
    }
    try {
      const written = write(file, 'a', `${JSON.stringify({ ...rule, by: self })}\n`)
      follow()
      // Somebody may have begun anew in between, which purged everything, but perhaps before what we purge now.
      if (statSync(file, { bigint: true }).ino !== written) append(rule)
    } catch (error) {
      log.error({ err: error }, 'a purge cannot be written down, everything is purged instead')
      beginAnew()
    }
  }

  if (statSync(file, { throwIfNoEntry: false })) follow()
  else beginAnew()
  isOpen = true

  const isAfter = (when: number | undefined, moment: Moment) => when !== undefined && when > moment.at
  return {
    get version() {
      return version
    },
    get changedAt() {
      return changedAt
    },
    now: () => ({ epoch, at }),
    append,
    beginAnew,
    follow,
    isPurged: ({ path, tags, moment }) =>
      moment.epoch !== epoch ||
      isAfter(purgedPaths.get(path), moment) ||
      tags.some((tag) => isAfter(purgedTags.get(tag), moment)),
    isStale: ({ path, moment }) => isAfter(stalePaths.get(path), moment),
  }
}

/** Writes and flushes; answers the inode of the file that was written to. */
function write(path: string, flags: 'a' | 'wx', text: string): bigint {
  const handle = openSync(path, flags, 0o600)
  try {
    writeSync(handle, text)
    fdatasyncSync(handle)
    return fstatSync(handle, { bigint: true }).ino
  } finally {
    closeSync(handle)
  }
}

/** Where the folder cannot even be read, nothing is left there. */
function removeIfPossible(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {}
}
