import { hash } from 'node:crypto'
import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import type { Compression, SourceEntry, Warning } from '../types.ts'
import { createArena } from './arena.ts'
import { compress } from './compress.ts'
import { padded, SEGMENT_BYTES, type StoredEntry } from './format.ts'
import { release } from './free-buffers.ts'
import { linkStays } from './names.ts'
import type { SegmentPlan } from './plan.ts'
import { readSource } from './source-file.ts'
import { entryOffsets, packEntries, packHeader, type TarItem } from './tar.ts'
import { LIST, resultPath, segmentPath, writeUnflushed } from './work-folder.ts'

/** A segment to write. */
export interface SegmentTask {
  readonly folder: string
  readonly number: number
  readonly plan: SegmentPlan
  readonly compression: Compression
}

/** The first line of a segment's result file; its entries and warnings follow. */
export interface SegmentResult {
  /** Compressed bytes. */
  readonly bytes: number
  readonly tarBytes: number
  /** SHA-256 of the compressed bytes, hexadecimal. */
  readonly sha256: string
  readonly files: number
  readonly directories: number
  readonly links: number
  /** Content bytes in this segment. */
  readonly contentBytes: number
  readonly entries: number
  readonly warnings: number
  /** For the first part of a large file: its size and identity. Missing if the file could not be read. */
  readonly file?: { readonly size: number; readonly identity: string } | undefined
}

interface Contents {
  readonly tar: Buffer
  readonly entries: readonly StoredEntry[]
  readonly warnings: readonly Warning[]
  readonly contentBytes: number
  readonly file?: SegmentResult['file']
}

/**
 * Maximum size of a file that grew since the scan and is still stored completely, in bytes: a segment is held in
 * memory.
 */
const LONGEST_IN_SEGMENT = 2 * SEGMENT_BYTES

/** A thread writes one segment at a time: memory for its contents and for their tar with headers. */
const arena = createArena(2 * SEGMENT_BYTES + 256 * 1024)

/** Writes one segment: first its bytes, then its result file, which marks it as finished. */
export async function makeSegment(task: SegmentTask): Promise<SegmentResult> {
  arena.reset()
  const sources = readSlice(task)
  const contents = task.plan.part ? await onePart(task, sources) : await wholeEntries(sources)
  const packed = compress(contents.tar, task.compression)
  const count = (type: StoredEntry['type']) => contents.entries.filter((entry) => entry.type === type).length
  const result: SegmentResult = {
    bytes: packed.length,
    tarBytes: contents.tar.length,
    sha256: hash('sha256', packed),
    files: count('file'),
    directories: count('directory'),
    links: count('symlink'),
    contentBytes: contents.contentBytes,
    entries: contents.entries.length,
    warnings: contents.warnings.length,
    file: contents.file,
  }
  // Not flushed to disk: that would take longer than the compression. A file truncated by a power failure is detected
  // by its length when the next process continues (`results.ts`), or at the latest when the archive is verified.
  writeUnflushed(segmentPath(task.folder, task.number), packed)
  release(packed)
  const lines = [result, ...contents.entries, ...contents.warnings].map((line) => `${JSON.stringify(line)}\n`)
  writeUnflushed(resultPath(task.folder, task.number), lines.join(''))
  return result
}

function readSlice({ folder, plan }: SegmentTask): SourceEntry[] {
  const file = openSync(join(folder, LIST), 'r')
  try {
    const slice = Buffer.alloc(plan.length)
    readSync(file, slice, 0, plan.length, plan.at)
    return slice
      .toString('utf8')
      .split('\n')
      .flatMap((line): SourceEntry[] => (line === '' ? [] : [JSON.parse(line)]))
  } finally {
    closeSync(file)
  }
}

/** Files that fit into the segment, folders and links. */
async function wholeEntries(sources: readonly SourceEntry[]): Promise<Contents> {
  const items: TarItem[] = []
  const warnings: Warning[] = []
  let held = 0
  for (const source of sources) {
    const { name, mode, mtimeMs, linkTarget } = source
    const warn = (message: string) => warnings.push({ name, message })
    if (source.type === 'directory') {
      items.push({ name, type: 'directory', mode, mtimeMs, content: Buffer.alloc(0) })
    } else if (source.type === 'symlink') {
      if (linkStays(name, linkTarget ?? '')) {
        items.push({ name, type: 'symlink', mode, mtimeMs, linkTarget, content: Buffer.alloc(0) })
      } else warn('The link points outside its folder and was skipped.')
    } else {
      const read = readSource(source.path, [0, Math.max(source.size, LONGEST_IN_SEGMENT - held)], arena)
      if ('unreadable' in read) {
        warn(`The file was skipped: ${read.unreadable}.`)
        continue
      }
      if (read.size > read.content.length)
        warn(`The file has grown since the scan and was truncated to ${read.content.length} bytes.`)
      else if (read.warning) warn(read.warning)
      held += read.content.length
      items.push({ name, type: 'file', mode: read.mode, mtimeMs: read.mtimeMs, content: read.content })
    }
  }
  const tar = await packEntries(items, arena)
  const offsets = entryOffsets(
    tar,
    items.map(({ content }) => content.length),
  )
  const entries = items.map(({ content, ...item }, index) => ({
    ...item,
    size: content.length,
    ...(item.type === 'file' && { sha256: hash('sha256', content) }),
    offset: offsets[index] ?? 0,
  }))
  return { tar, entries, warnings, contentBytes: held }
}

/**
 * Reads a part of a large file. The first part decides: if the file cannot be opened, there is no entry and the other
 * parts are empty. Its size at that moment is the size of the entry, even if the file changes later.
 */
async function onePart({ folder, plan }: SegmentTask, [source]: readonly SourceEntry[]): Promise<Contents> {
  const { part } = plan
  if (!part || !source) throw new Error('A segment with a file part must have exactly one file.')
  const { name } = source
  const start = part.index * SEGMENT_BYTES
  const first = part.index === 0 ? undefined : firstResult(folder, part.first)
  if (first && (!first.file || first.file.size <= start))
    return { tar: Buffer.alloc(0), entries: [], warnings: [], contentBytes: 0 }
  const read = readSource(source.path, [start, start + SEGMENT_BYTES], arena)
  if ('unreadable' in read && !first) {
    return {
      tar: Buffer.alloc(0),
      entries: [],
      warnings: [{ name, message: `The file was skipped: ${read.unreadable}.` }],
      contentBytes: 0,
    }
  }
  const here = 'unreadable' in read ? undefined : read
  const size = first?.file?.size ?? Math.min(here?.size ?? 0, source.size)
  const end = Math.min(start + SEGMENT_BYTES, size)
  const content = here?.content.subarray(0, end - start) ?? Buffer.alloc(0)
  const zeros = Buffer.alloc((end === size ? padded(end) : end) - start - content.length)
  const warnings = partWarnings(name, part.last, here, first?.file, source.size)
  const contentBytes = end - start
  if (first) return { tar: arena.join([content, zeros]), entries: [], warnings, contentBytes }
  const { mode, mtimeMs, identity } = here ?? { ...source, identity: '' }
  const item = { name, type: 'file', mode, mtimeMs } as const
  const header = await packHeader(item, size)
  return {
    tar: arena.join([header, content, zeros]),
    entries: [{ ...item, size, offset: 0 }],
    warnings,
    contentBytes,
    file: { size, identity },
  }
}

type Read = { readonly identity: string; readonly size: number; readonly warning: string | undefined }

/** Warns about a large file when it differs from its first part, and when it has grown since the scan. */
function partWarnings(
  name: string,
  last: boolean,
  read: Read | undefined,
  first: SegmentResult['file'],
  planned: number,
): Warning[] {
  if (!read)
    return [{ name, message: 'The file was deleted while it was being read; the missing part was filled with zeros.' }]
  if (first && first.identity !== read.identity) return [{ name, message: 'The file changed while it was being read.' }]
  if (last && read.size > planned)
    return [{ name, message: `The file has grown since the scan and was truncated to ${planned} bytes.` }]
  return read.warning ? [{ name, message: read.warning }] : []
}

function firstResult(folder: string, number: number): SegmentResult {
  const text = readFileSync(resultPath(folder, number), 'utf8')
  return JSON.parse(text.slice(0, text.indexOf('\n')))
}
