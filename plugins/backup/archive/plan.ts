import { join } from 'node:path'
import { writeAtomically } from 'pentad'
import type { SourceEntry } from '../types.ts'
import { SEGMENT_BYTES, SEGMENT_ENTRIES } from './format.ts'
import { linesOfFile } from './lines.ts'
import { LIST, PLAN, readJsonLines } from './work-folder.ts'

/** The contents of a segment: a slice of the work list, or a part of one large file. */
export interface SegmentPlan {
  /** Byte offset of the slice in the work list. */
  readonly at: number
  readonly length: number
  /** Set if the slice holds one large file. */
  readonly part?: {
    /** Zero-based. */
    readonly index: number
    readonly last: boolean
    /** Number of the segment that holds the first part. */
    readonly first: number
  }
}

/** Estimated header size per entry, in bytes. Long names may need more, which is harmless. */
const HEADER = 1024

/**
 * Divides the work list into segments, once: the plan is stored so that every process that continues the job uses the
 * same one. A file larger than a segment gets its own segments.
 */
export async function planSegments(folder: string): Promise<SegmentPlan[]> {
  const path = join(folder, PLAN)
  const known = await readJsonLines<SegmentPlan>(path)
  if (known) return known
  const plan: SegmentPlan[] = []
  let slice = { at: 0, end: 0, bytes: 0, entries: 0 }
  const close = () => {
    if (slice.entries > 0) plan.push({ at: slice.at, length: slice.end - slice.at })
    slice = { at: slice.end, end: slice.end, bytes: 0, entries: 0 }
  }
  for await (const { text, at } of linesOfFile(join(folder, LIST))) {
    const entry: SourceEntry = JSON.parse(text)
    const end = at + Buffer.byteLength(text) + 1
    const large = entry.type === 'file' && entry.size > SEGMENT_BYTES
    const bytes = HEADER + (large ? 0 : entry.size)
    if (large || slice.bytes + bytes > SEGMENT_BYTES || slice.entries === SEGMENT_ENTRIES) close()
    slice = { at: slice.at, end, bytes: slice.bytes + bytes, entries: slice.entries + 1 }
    if (!large) continue
    const parts = Math.ceil(entry.size / SEGMENT_BYTES)
    const first = plan.length
    for (let index = 0; index < parts; index++) {
      plan.push({ at: slice.at, length: end - slice.at, part: { index, last: index === parts - 1, first } })
    }
    slice = { at: end, end, bytes: 0, entries: 0 }
  }
  close()
  const lines = plan.map((segment) => `${JSON.stringify(segment)}\n`)
  await writeAtomically(path, lines.join(''), { flush: true })
  return plan
}
