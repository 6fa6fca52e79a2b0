import { randomBytes } from 'node:crypto'
import {
  type BigIntStats,
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

/** A position in the purge log. Pages rendered from then on reflect all earlier purges. */
export interface Moment {
  /** Pages of other epochs are invalid. */
  readonly epoch: string
  /** Length of the log in bytes. */
  readonly at: number
}

/** The fields of a page that purges match. */
export interface Purgeable {
  readonly path: string
  readonly tags: readonly string[]
  readonly moment: Moment
}

const ruleSchema = z.object({
  paths: z.array(z.string()).optional(),
  tags: z.array(z.string()).optional(),
  /** Paths to mark as stale. */
  stale: z.array(z.string()).optional(),
  /** Tags of pages to mark as stale; set if their content changed. */
  staleTags: z.array(z.string()).optional(),
  /** Set if it repeats a purge of another process. */
  again: z.literal(true).optional(),
})
const lineSchema = ruleSchema.extend({
  /** Id of the process that wrote it. */
  by: z.string().optional(),
  /** In ms since 1970. */
  time: z.number().optional(),
  /** IDs of processes whose purges so far are in the change log. */
  recorded: z.array(z.string()).optional(),
})
export type PurgeRule = z.output<typeof ruleSchema>
/** A purge of all pages, which all have this tag. */
const ALL: PurgeRule = { tags: ['site'] }
type PurgeLine = z.output<typeof lineSchema>

/**
 * An append-only log of purges, shared by all processes of a site. A page rendered before a matching purge is invalid,
 * in memory and on disk, whichever process rendered it. No files have to be searched, and purges survive a crash.
 */
export interface PurgeLog {
  /** Increases whenever pages may have become invalid. */
  readonly version: number
  /** Time of the last purge or stale mark, in ms since 1970. */
  readonly changedAt: number
  now(): Moment
  /** Appends a purge and flushes it to disk. */
  append(rule: PurgeRule): void
  /** Invalidates all pages by starting a new epoch. */
  purgeAll(): void
  /**
   * Purges that the log contained when it was opened, not older than `since`, as one: the change log may lack them if the process was
   * killed.
   *
   * @param since in ms since 1970
   */
  takeEarlier(since: number): PurgeRule | undefined
  /** Notes that the purges of this process, and those that `takeEarlier` returned, are in the change log. */
  noteRecorded(): void
  /** Reads purges of other processes; cheap if there are none. */
  follow(): void
  isPurged(page: Purgeable): boolean
  /** Whether it was marked as stale: it may be served once more while it is re-rendered. */
  isStale(page: Purgeable): boolean
}

/** Log size in bytes from which a new epoch is cheaper. */
const MAX_LOG = 1024 * 1024
/** First line of each log, of fixed length: `{"epoch":"<24 hex digits>"}`. */
const HEAD = /^\{"epoch":"([\da-f]{24})"\}\n/
const HEAD_LENGTH = 37

/**
 * @param folder folder of the log; created if it is missing
 * @param options.onRemotePurge receives purges of other processes from now on, except repeated ones
 */
export function createPurgeLog(
  folder: string,
  log: Logger,
  { onRemotePurge }: { onRemotePurge?: (rule: PurgeRule | 'all') => void } = {},
): PurgeLog {
  const file = join(folder, 'purges.log')
  const self = randomBytes(6).toString('hex')
  const purgedPaths = new Map<string, number>()
  const purgedTags = new Map<string, number>()
  const stalePaths = new Map<string, number>()
  const staleTags = new Map<string, number>()
  let epoch = ''
  let at = 0
  let version = 0
  let changedAt = 0
  let signature = ''
  /** Of the file that was read or written last. */
  let inode: bigint | undefined
  let isOpen = false
  /** Purges when the log was opened. */
  let earlier: PurgeLine[] = []
  /** Purges of other processes found while reading. */
  let remote: (PurgeRule | 'all')[] = []

  function enter(newEpoch: string): void {
    epoch = newEpoch
    at = HEAD_LENGTH
    for (const rules of [purgedPaths, purgedTags, stalePaths, staleTags]) rules.clear()
    changedAt = Date.now()
    version++
  }

  function apply({ again, by, ...rule }: PurgeLine, end: number): void {
    const { paths = [], tags = [], recorded } = rule
    for (const path of paths) purgedPaths.set(path, end)
    for (const tag of tags) purgedTags.set(tag, end)
    for (const path of rule.stale ?? []) stalePaths.set(path, end)
    for (const tag of rule.staleTags ?? []) staleTags.set(tag, end)
    changedAt = Date.now()
    const isOfContent = paths.length > 0 || tags.length > 0
    if (recorded) earlier = earlier.filter((line) => !recorded.includes(line.by ?? ''))
    if (!again && (isOfContent || rule.staleTags)) {
      if (!isOpen) earlier.push({ ...rule, by })
      else if (by !== self) remote.push(rule)
    }
    // Stale pages stay valid, and so do renderings in flight.
    if (isOfContent) version++
  }

  /** Applies complete lines; a line that is still being written is left for the next read. */
  function applyLines(added: Buffer): void {
    const end = added.lastIndexOf('\n') + 1
    if (end === 0) return
    for (let start = 0; start < end; ) {
      const stop = added.indexOf('\n', start) + 1
      apply(lineSchema.parse(JSON.parse(added.toString('utf8', start, stop - 1))), at + stop)
      start = stop
    }
    at += end
  }

  /** Notes the state of the file. Returns whether it is a new one. */
  function note(stats: BigIntStats | undefined): boolean {
    const seen = stats ? `${stats.ino} ${stats.size} ${stats.mtimeNs}` : ''
    if (seen === signature) return false
    signature = seen
    inode = stats?.ino
    return true
  }

  function follow(): void {
    if (!note(statSync(file, { bigint: true, throwIfNoEntry: false }))) return
    try {
      read()
    } catch (error) {
      log.warn({ err: error }, 'purge log not readable, page cache cleared')
      startEpoch()
    }
    // Outside the `try`: errors of the callback do not mean that the log is unreadable.
    const found = remote
    remote = []
    for (const rule of found) onRemotePurge?.(rule)
  }

  function read(): void {
    const handle = openSync(file, 'r')
    try {
      const head = Buffer.alloc(HEAD_LENGTH)
      readSync(handle, head, 0, HEAD_LENGTH, 0)
      const found = HEAD.exec(head.toString('latin1'))?.[1]
      if (found === undefined) throw new Error(`${file} has an invalid header.`)
      const { size } = fstatSync(handle)
      if (size > MAX_LOG * 2) throw new Error(`${file} is too long.`)
      if (found !== epoch || size < at) {
        enter(found)
        if (isOpen) remote.push('all')
      }
      const added = Buffer.alloc(size - at)
      applyLines(added.subarray(0, readSync(handle, added, 0, added.length, at)))
    } finally {
      closeSync(handle)
    }
  }

  /** Writes a new file under a temporary name and renames it, so that it is never read incomplete. */
  function startEpoch(): void {
    const newEpoch = randomBytes(12).toString('hex')
    const temporary = `${file}.${newEpoch}.tmp`
    try {
      mkdirSync(folder, { recursive: true })
      write(temporary, 'wx', `{"epoch":"${newEpoch}"}\n`)
      renameSync(temporary, file)
      flushFolderSync(folder)
    } catch (error) {
      removeIfPossible(temporary)
      // Continue with an epoch that only this process knows: pages on disk are not used until the log is writable
      // again.
      log.error({ err: error }, 'purge log not writable, page cache continues in memory')
    }
    enter(newEpoch)
  }

  function purgeAll(): void {
    startEpoch()
    append(ALL)
  }

  function append(rule: PurgeLine): void {
    follow()
    if (at > MAX_LOG) {
      purgeAll()
      return
    }
    try {
      const text = `${JSON.stringify({ ...rule, by: self, time: Date.now() })}\n`
      const written = write(file, 'a', text)
      const end = at + Buffer.byteLength(text)
      if (written.ino === inode && written.size === BigInt(end)) {
        // Nothing else was written since it was read last.
        note(written)
        apply({ ...rule, by: self }, end)
        at = end
      } else follow()
      // Another process may have started a new epoch in between, possibly before the change that this purge is about.
      if (statSync(file, { bigint: true }).ino !== written.ino) append(rule)
    } catch (error) {
      log.error({ err: error }, 'could not write purge, all pages purged')
      startEpoch()
    }
  }

  if (statSync(file, { throwIfNoEntry: false })) follow()
  else startEpoch()
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
    purgeAll,
    takeEarlier(since) {
      const missing = earlier.filter(({ time = 0 }) => time >= since)
      if (missing.length === 0) return undefined
      return {
        paths: missing.flatMap(({ paths = [], stale = [] }) => [...paths, ...stale]),
        tags: missing.flatMap(({ tags = [], staleTags = [] }) => [...tags, ...staleTags]),
      }
    },
    noteRecorded() {
      append({ recorded: [self, ...new Set(earlier.flatMap(({ by }) => by ?? []))] })
      earlier = []
    },
    follow,
    isPurged: ({ path, tags, moment }) =>
      moment.epoch !== epoch ||
      isAfter(purgedPaths.get(path), moment) ||
      tags.some((tag) => isAfter(purgedTags.get(tag), moment)),
    isStale: ({ path, tags, moment }) =>
      isAfter(stalePaths.get(path), moment) || tags.some((tag) => isAfter(staleTags.get(tag), moment)),
  }
}

/** Writes and flushes; returns the state of the file. */
function write(path: string, flags: 'a' | 'wx', text: string): BigIntStats {
  const handle = openSync(path, flags, 0o600)
  try {
    writeSync(handle, text)
    fdatasyncSync(handle)
    return fstatSync(handle, { bigint: true })
  } finally {
    closeSync(handle)
  }
}

/** Ignores errors: if the folder is not accessible, there is nothing to remove. */
function removeIfPossible(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {}
}
