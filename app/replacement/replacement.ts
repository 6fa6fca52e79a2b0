import {
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { UPLOADS_IMPORT } from '../../cms/content/media/upload-files.ts'
import { SITE_DATABASE } from '../../core/database/site-file.ts'
import { messageOf } from '../../core/errors.ts'
import { flushFolderSync } from '../../core/files/flush-folder.ts'
import { createFileLock, type FileLock, LockLost } from '../../core/files/lock.ts'
import { OPTIONS_FILE, OPTIONS_IMPORT } from '../options/files.ts'
import { CODE_IMPORT } from '../shared-code/files.ts'
import { isDatabaseFree } from './database-free.ts'

/** File that records a replacement, or the outcome of the last one. */
export const REPLACEMENT_FILE = 'replacement.json'
/** Milliseconds for other processes of the site to close its database. */
const OTHERS_CLOSE = 30_000
/** Interval of checks whether they have, in ms. */
const LOOK = 200

/** A path in the site folder that does not leave it. */
const path = z.string().regex(/^(?!\/)(?!.*(?:^|\/)\.\.?(?:\/|$))[^\0]+$/)
const schemaName = z.string().regex(/^[a-z]\w{0,62}$/)

const replacementSchema = z.object({
  /** Identifies it for the caller. */
  id: z.string().min(1),
  /** Performed in this order. Without `from`, the file or folder is only set aside. */
  moves: z.array(z.object({ to: path, from: path.optional(), aside: path })),
  /** PostgreSQL: the tables of the schema `from` replace the site's, which are moved to the schema `aside`. */
  tables: z.object({ from: schemaName, aside: schemaName }).optional(),
})

/**
 * A replacement of parts of the site by renames within the site folder: all or nothing. Paths are relative to the site folder; `from` must
 * exist, `aside` must not.
 */
export type Replacement = z.output<typeof replacementSchema>

const outcomeSchema = z.union([
  z.object({ done: z.literal(true) }),
  z.object({ done: z.literal(false), reason: z.string() }),
])
const journalSchema = replacementSchema.extend({ outcome: outcomeSchema.optional() })
type Journal = z.output<typeof journalSchema>

/** Outcome of a replacement: completed, or rolled back for that reason. */
export type ReplacementOutcome = z.output<typeof outcomeSchema>

/** The last replacement of the site; without an outcome it is not finished. */
export function lastReplacement(siteDir: string): { id: string; outcome?: ReplacementOutcome | undefined } | undefined {
  const journal = readJournal(siteDir)
  return journal && { id: journal.id, outcome: journal.outcome }
}

/**
 * Records a replacement. From then on it is committed: the next start completes it before anything of the site is opened.
 * @throws Error if a path does not exist, or another replacement is in progress; in that case nothing has changed
 */
export function beginReplacement(siteDir: string, given: Replacement): void {
  const replacement = replacementSchema.parse(given)
  const last = readJournal(siteDir)
  if (last && !last.outcome) throw new Error('Another replacement is still in progress.')
  for (const { from, aside } of replacement.moves) {
    if (from !== undefined && !isThere(join(siteDir, from))) throw new Error(`${from} does not exist.`)
    if (isThere(join(siteDir, aside))) throw new Error(`${aside} already exists.`)
  }
  writeJournal(siteDir, replacement)
}

interface ReplacedConfig {
  readonly siteDir: string
  readonly databaseUrl?: string | undefined
  readonly storageUrl?: string | undefined
  readonly nodes?: 'one' | 'many'
}

/** Completes the recorded replacement, or rolls it back if a step fails. Does nothing if there is none; safe for concurrent processes. */
export async function finishReplacement(
  config: ReplacedConfig,
  { patience = OTHERS_CLOSE }: { patience?: number } = {},
): Promise<void> {
  const { siteDir } = config
  const isFinished = () => readJournal(siteDir)?.outcome !== undefined || readJournal(siteDir) === undefined
  if (isFinished()) return
  const lock = createFileLock(join(siteDir, `${REPLACEMENT_FILE}.lock`))
  for (const start = Date.now(); ; await wait(LOOK)) {
    const last = Date.now() - start > patience
    if (isFinished() || (await lock.hold(() => tryToFinish(config, { lock, last })))) return
  }
}

/** @returns `false` if another process is doing it, or still has the database open, unless this is the last attempt. */
async function tryToFinish(
  { siteDir, databaseUrl, storageUrl, nodes }: ReplacedConfig,
  { lock, last }: { lock: FileLock; last: boolean },
): Promise<boolean> {
  const journal = readJournal(siteDir)
  if (!journal || journal.outcome) return true
  const { moves, tables } = journal
  // An open connection to the old file would continue to write to it, and delete the new one's WAL files when it is closed.
  const free = !moves.some(({ to }) => to === SITE_DATABASE) || isDatabaseFree(join(siteDir, SITE_DATABASE))
  if (!free && !last) return false
  let postgres: typeof import('./postgres-tables.ts') | undefined
  try {
    if (!free) throw new Error('Another process of the site did not close its database.')
    for (const move of moves) apply(siteDir, move)
    if (databaseUrl !== undefined && moves.some(({ to }) => to === OPTIONS_FILE)) {
      writeFileSync(join(siteDir, OPTIONS_IMPORT), '', { mode: 0o600, flush: true })
    }
    if (storageUrl !== undefined && moves.some(({ to }) => to === 'uploads')) {
      writeFileSync(join(siteDir, UPLOADS_IMPORT), '', { mode: 0o600, flush: true })
    }
    // A restored database does not contain the archives of the extensions and themes.
    const affectsCode =
      tables !== undefined || moves.some(({ to }) => [OPTIONS_FILE, 'extensions', 'themes'].includes(to))
    if (nodes === 'many' && affectsCode) {
      writeFileSync(join(siteDir, CODE_IMPORT), '', { mode: 0o600, flush: true })
    }
    if (tables) {
      if (databaseUrl === undefined) throw new Error('The site no longer has a PostgreSQL database.')
      postgres = await import('./postgres-tables.ts')
      await postgres.moveTables(databaseUrl, tables)
    }
  } catch (error) {
    // It is unknown whether the tables were moved, and the site can't be served either; the next attempt determines it.
    if (postgres && !postgres.isRejection(error)) throw error
    // Another process that took over while this one was paused may be moving the tables at this moment.
    if (postgres && (await isLost(lock))) return false
    for (const move of moves.toReversed()) takeBack(siteDir, move)
    for (const mark of [OPTIONS_IMPORT, UPLOADS_IMPORT, CODE_IMPORT]) rmSync(join(siteDir, mark), { force: true })
    const reason = error instanceof Error ? error.message : String(error)
    writeJournal(siteDir, { ...journal, outcome: { done: false, reason } })
    return true
  }
  writeJournal(siteDir, { ...journal, outcome: { done: true } })
  return true
}

async function isLost(lock: FileLock): Promise<boolean> {
  try {
    await lock.confirm()
    return false
  } catch (error) {
    if (error instanceof LockLost) return true
    throw error
  }
}

type Move = Replacement['moves'][number]

/** Completes a move: each of its two renames may have been done before a crash. */
function apply(siteDir: string, { to, from, aside }: Move): void {
  const target = join(siteDir, to)
  const old = join(siteDir, aside)
  const source = from === undefined ? undefined : join(siteDir, from)
  if (source !== undefined && !isThere(source)) return
  if (isThere(target) && !isThere(old)) rename(target, old)
  if (source !== undefined) rename(source, target)
}

function takeBack(siteDir: string, { to, from, aside }: Move): void {
  const target = join(siteDir, to)
  const old = join(siteDir, aside)
  const source = from === undefined ? undefined : join(siteDir, from)
  if (source !== undefined && !isThere(source) && isThere(target)) rename(target, source)
  if (isThere(old)) rename(old, target)
}

function rename(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  renameSync(from, to)
  flushFolderSync(dirname(to))
  flushFolderSync(dirname(from))
}

/** A link counts as itself, wherever it points. */
function isThere(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined
}

/** @throws Error if the file is damaged: which files of the site are the new ones is then unknown */
function readJournal(siteDir: string): Journal | undefined {
  const file = join(siteDir, REPLACEMENT_FILE)
  if (!isThere(file)) return undefined
  try {
    return journalSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    const fix = 'If no restore was in progress, delete it. Otherwise, restore the site from a backup.'
    throw new Error(`${file}, which records the last restore, can't be read. ${fix} (${messageOf(error)})`)
  }
}

/** Written under a temporary name, flushed and renamed: the file is complete or does not exist. */
function writeJournal(siteDir: string, journal: Journal): void {
  const file = join(siteDir, REPLACEMENT_FILE)
  const temporary = `${file}.tmp`
  const handle = openSync(temporary, 'w', 0o600)
  try {
    writeSync(handle, JSON.stringify(journal))
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  renameSync(temporary, file)
  flushFolderSync(siteDir)
}
