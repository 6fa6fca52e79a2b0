import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'

/** Where a replacement is written down while it is not finished. */
const JOURNAL = 'replacement.json'

/** A path below the site folder, without a way out of it. */
const path = z.string().regex(/^(?!\/)(?!.*(?:^|\/)\.\.?(?:\/|$))[^\0\\]+$/)

const replacementSchema = z.object({
  /** Moved in this order. Without `from` the thing is only put aside. */
  moves: z.array(z.object({ to: path, from: path.optional(), aside: path })),
  /** Tables of the schema `from` take the places of those of the same names, which go to the schema `aside`. */
  tables: z.object({ from: z.string().regex(/^\w+$/), aside: z.string().regex(/^\w+$/) }).optional(),
  /** File that says how it ended: `{ "done": true }` or `{ "done": false, "reason": "…" }`. */
  outcome: path,
})

/**
 * What takes the place of parts of the site, by renames within the site folder: all of it or nothing. Paths are below
 * the site folder; `from` must exist and `aside` must not.
 */
export type Replacement = z.output<typeof replacementSchema>

/**
 * Writes a replacement down. From now on the site is the new one: whatever happens, the next start finishes it before
 * anything of the site is opened.
 */
export function beginReplacement(siteDir: string, replacement: Replacement): void {
  const journal = join(siteDir, JOURNAL)
  if (existsSync(journal)) throw new Error('Another replacement is not finished yet.')
  for (const { from, aside } of replacement.moves) {
    if (from !== undefined && !existsSync(join(siteDir, from))) throw new Error(`There is no ${from}.`)
    if (existsSync(join(siteDir, aside))) throw new Error(`${aside} is there already.`)
  }
  writeWhole(journal, JSON.stringify(replacementSchema.parse(replacement)))
}

/**
 * Finishes what `beginReplacement` wrote down, or takes all of it back where a step can't be done. Harmless where there
 * is nothing to do.
 * @param moveTables moves the tables of PostgreSQL, all at once; called a second time after a crash it changes nothing
 */
export async function finishReplacement(
  siteDir: string,
  moveTables: (tables: { from: string; aside: string }) => Promise<void>,
): Promise<void> {
  const journal = join(siteDir, JOURNAL)
  if (!existsSync(journal)) return
  const { moves, tables, outcome } = replacementSchema.parse(JSON.parse(readFileSync(journal, 'utf8')))
  const tell = (result: { done: true } | { done: false; reason: string }) => {
    mkdirSync(dirname(join(siteDir, outcome)), { recursive: true })
    writeWhole(join(siteDir, outcome), JSON.stringify(result))
    rmSync(journal)
    flushFolder(siteDir)
  }
  try {
    for (const move of moves) apply(siteDir, move)
    if (tables) await moveTables(tables)
  } catch (error) {
    for (const move of moves.toReversed()) takeBack(siteDir, move)
    tell({ done: false, reason: error instanceof Error ? error.message : String(error) })
    return
  }
  tell({ done: true })
}

type Move = Replacement['moves'][number]

/** Does what is left of a move: each of its two renames may have happened before a crash. */
function apply(siteDir: string, { to, from, aside }: Move): void {
  const [target, source, old] = [to, from, aside].map((one) => (one === undefined ? undefined : join(siteDir, one)))
  if (target === undefined || old === undefined) return
  if (source !== undefined && !existsSync(source)) return
  if (existsSync(target) && !existsSync(old)) rename(target, old)
  if (source !== undefined) rename(source, target)
}

function takeBack(siteDir: string, { to, from, aside }: Move): void {
  const target = join(siteDir, to)
  if (from !== undefined && !existsSync(join(siteDir, from)) && existsSync(target)) rename(target, join(siteDir, from))
  if (existsSync(join(siteDir, aside))) rename(join(siteDir, aside), target)
}

function rename(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  renameSync(from, to)
  flushFolder(dirname(to))
  flushFolder(dirname(from))
}

/** By another name and a rename, flushed: the file is whole or not there. */
function writeWhole(file: string, text: string): void {
  const temporary = `${file}.tmp`
  const handle = openSync(temporary, 'w', 0o600)
  writeSync(handle, text)
  fsyncSync(handle)
  closeSync(handle)
  renameSync(temporary, file)
  flushFolder(dirname(file))
}

/** Makes a rename survive a power cut. Windows has no way to open a folder, and its renames are journalled. */
function flushFolder(folder: string): void {
  if (process.platform === 'win32') return
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
