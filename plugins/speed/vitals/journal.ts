import { type FileHandle, mkdir, open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Logger } from 'pentad'
import { z } from 'zod'
import { DEVICES, isInBounds, METRIC_IDS } from './metrics.ts'
import type { Sample } from './ring.ts'
import type { Place, Samples } from './samples.ts'

/** A file of this size, which is also twice what it was when it was written anew, is written anew. Bytes. */
const WORTH_REWRITING = 2_000_000

/** Lines written in one go when the file is written anew; requests get their turn in between. */
const LINES_AT_ONCE = 2000

const id = z.int().nonnegative()

/**
 * `["single","mobile","LCP",1234.5,98765]`, the last one is the id; after it, where another sample had to go, that one's.
 * Nothing of an address is ever written.
 */
const lineSchema = z
  .tuple([z.string().regex(/^[\w-]{1,60}$/), z.enum(DEVICES), z.enum(METRIC_IDS), z.number(), id, id.optional()])
  .refine(([, , metric, value]) => isInBounds(metric, value))

/** A sample as the file keeps it. */
export type Entry = Place & Omit<Sample, 'address'> & { readonly instead?: number | undefined }

/** Keeps samples in a file, so that those that were acknowledged outlive the process. */
export interface Journal {
  /** Resolves once the system has the samples: `kill -9` loses none of them, a power cut at most the last seconds. */
  write(entries: readonly Entry[]): Promise<void>
  /** Writes what waits and closes the file. */
  close(): Promise<void>
}

/**
 * Reads a file into `samples` and goes on writing to it: a line for each sample, at the end. Now and then it is written
 * anew with the samples that are still kept. A line that is read twice does no harm, since its id has one vote.
 * Lines that cannot be read are left out with a warning.
 */
export async function openJournal(path: string, samples: Samples, log: Logger): Promise<Journal> {
  await mkdir(dirname(path), { recursive: true })
  let file = await open(path, 'a+', 0o600)
  const lost = await load(file, samples)
  if (lost > 0) log.warn({ path, lines: lost }, 'web vitals that cannot be read are left out')
  let size = (await file.stat()).size
  let enough = WORTH_REWRITING
  let waiting: Entry[] = []
  let next: Promise<void> | undefined
  let last: Promise<void> = Promise.resolve()
  // A broken last line would swallow the first one that is written.
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
    enough = Math.max(WORTH_REWRITING, size * 2)
  }

  /** One at a time; what comes in meanwhile goes together into the next. */
  async function flush(): Promise<void> {
    next = undefined
    const text = linesOf(waiting)
    waiting = []
    if (size > enough) {
      // Where it fails it is not tried again at once.
      enough = size + WORTH_REWRITING
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

/** @returns how many lines could not be read */
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
