import { type FileHandle, mkdir, open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Logger } from 'pentad'
import { z } from 'zod'
import { DEVICES, isInBounds, METRIC_IDS } from './metrics.ts'
import type { Sample } from './ring.ts'
import type { Place, Samples } from './samples.ts'

/** Size in bytes from which the file is compacted, if it has also doubled since the last time. */
const COMPACT_AT = 2_000_000

/** Lines per write during compaction; requests are served between writes. */
const LINES_AT_ONCE = 2000

const id = z.int().nonnegative()

/**
 * `["single","mobile","LCP",1234.5,98765]`, the last one is the id, optionally followed by the id of the sample that it
 * replaced. IP addresses are never written.
 */
const lineSchema = z
  .tuple([z.string().regex(/^[\w-]{1,60}$/), z.enum(DEVICES), z.enum(METRIC_IDS), z.number(), id, id.optional()])
  .refine(([, , metric, value]) => isInBounds(metric, value))

/** A sample as stored in the file. */
export type Entry = Place & Omit<Sample, 'address'> & { readonly instead?: number | undefined }

/** Stores samples in a file, so that acknowledged ones survive the process. */
export interface Journal {
  /**
   * Resolves once the operating system has the samples: `kill -9` loses none, a power failure at most the last seconds.
   */
  write(entries: readonly Entry[]): Promise<void>
  /** Writes pending samples and closes the file. */
  close(): Promise<void>
}

/**
 * Loads a file into `samples` and appends further samples, one per line. The file is compacted occasionally. Duplicate
 * lines are harmless, since each id counts once. Invalid lines are skipped with a warning.
 */
export async function openJournal(path: string, samples: Samples, log: Logger): Promise<Journal> {
  await mkdir(dirname(path), { recursive: true })
  let file = await open(path, 'a+', 0o600)
  const lost = await load(file, samples)
  if (lost > 0) log.warn({ path, lines: lost }, 'invalid web vitals lines skipped')
  let size = (await file.stat()).size
  let enough = COMPACT_AT
  let waiting: Entry[] = []
  let next: Promise<void> | undefined
  let last: Promise<void> = Promise.resolve()
  // A truncated last line would corrupt the next one.
  if (lost > 0) await rewrite()

  async function rewrite(): Promise<void> {
    const temporary = `${path}.tmp`
    const fresh = await open(temporary, 'w', 0o600)
    try {
      await writeAll(fresh, samples)
      await fresh.sync()
      await rename(temporary, path)
    } finally {
      await fresh.close()
    }
    await file.close()
    file = await open(path, 'a', 0o600)
    size = (await file.stat()).size
    enough = Math.max(COMPACT_AT, size * 2)
  }

  /** One write at a time; entries added meanwhile go into the next. */
  async function flush(): Promise<void> {
    next = undefined
    const text = linesOf(waiting)
    waiting = []
    if (size > enough) {
      // After a failure it is not retried immediately.
      enough = size + COMPACT_AT
      await rewrite()
    }
    await file.appendFile(text)
    size += text.length
  }

  return {
    write(entries) {
      waiting.push(...entries)
      if (!next) {
        next = last.then(flush)
        last = next.catch(() => {})
      }
      return next
    },
    async close() {
      await last
      await file.close()
    },
  }
}

/** @returns the number of invalid lines */
async function load(file: FileHandle, samples: Samples): Promise<number> {
  let lost = 0
  for await (const line of file.readLines({ start: 0, autoClose: false })) {
    const parsed = lineSchema.safeParse(jsonOrNothing(line))
    if (!parsed.success) {
      lost++
      continue
    }
    const [group, device, metric, value, id, instead] = parsed.data
    samples.add({ group, device, metric }, { value, id, address: 0 }, instead)
  }
  return lost
}

function jsonOrNothing(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function writeAll(file: FileHandle, samples: Samples): Promise<void> {
  let batch: Entry[] = []
  for (const entry of samples.entries()) {
    batch.push(entry)
    if (batch.length < LINES_AT_ONCE) continue
    await file.appendFile(linesOf(batch))
    batch = []
  }
  await file.appendFile(linesOf(batch))
}

const linesOf = (entries: readonly Entry[]) =>
  entries
    .map(({ group, device, metric, value, id, instead }) => {
      const line = [group, device, metric, value, id]
      return `${JSON.stringify(instead === undefined ? line : [...line, instead])}\n`
    })
    .join('')
