import { createHash, type Hash } from 'node:crypto'
import { closeSync, createReadStream, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Compression } from '../types.ts'
import { checksumLine } from './checksum-line.ts'
import { compress } from './compress.ts'
import {
  CHECKSUMS,
  END_OF_TAR,
  FORMAT_VERSION,
  INDEX,
  MANIFEST,
  type Manifest,
  type ManifestFacts,
  padded,
  SEGMENT_BYTES,
  type StoredMember,
} from './format.ts'
import { release } from './free-buffers.ts'
import { manifestFileLine, manifestFrame } from './manifest.ts'
import type { SegmentPlan } from './plan.ts'
import { readResult } from './results.ts'
import { sign } from './signature.ts'
import { packHeader } from './tar.ts'
import { encodeTrailer } from './trailer.ts'
import { TAIL } from './work-folder.ts'

/** The last members of an archive: manifest, checksums, index and trailer. */
export interface TailTask {
  readonly folder: string
  readonly compression: Compression
  readonly plan: readonly SegmentPlan[]
  readonly facts: ManifestFacts
  readonly sums: readonly LargeFileSum[]
  /** Without a key, the archive is not signed. */
  readonly signingKey?: Uint8Array | undefined
}

export interface Tail {
  readonly manifest: Manifest
  /** Size of the archive. */
  readonly bytes: number
}

/** The checksum of a large file, known once its segments were verified. */
export interface LargeFileSum {
  /** Number of the segment that holds its first part. */
  readonly segment: number
  readonly sha256: string
}

/** Writes the tail into the work folder, line by line. */
export async function makeTail({ folder, compression, plan, facts, sums: large, signingKey }: TailTask): Promise<Tail> {
  const sums = new Map(large.map(({ segment, sha256 }) => [segment, sha256]))
  const files = createList(join(folder, MANIFEST))
  const checksums = createList(join(folder, CHECKSUMS))
  const index = createList(join(folder, INDEX))
  const counts = { files: 0, directories: 0, links: 0, bytes: 0 }
  let isFirst = true
  let at = 0
  for (const [number, { part }] of plan.entries()) {
    const { summary, entries } = readResult(folder, number)
    const { bytes, tarBytes, sha256 } = summary
    const member: StoredMember = { at, bytes, tarBytes, sha256, continues: (part?.index ?? 0) > 0 }
    index.write(`${JSON.stringify(member)}\n`)
    for (const entry of entries) {
      const sum = entry.type === 'file' ? (entry.sha256 ?? sums.get(number)) : undefined
      index.write(`${JSON.stringify({ ...entry, sha256: sum })}\n`)
      if (sum !== undefined) {
        files.write(manifestFileLine({ name: entry.name, size: entry.size, sha256: sum }, isFirst))
        isFirst = false
        checksums.write(checksumLine(entry.name, sum))
      }
      counts.bytes += entry.size
    }
    counts.files += summary.files
    counts.directories += summary.directories
    counts.links += summary.links
    at += bytes
  }
  const filesList = files.close()
  const checksumsFile = checksums.close()
  const indexFile = index.close()
  const unsigned: Manifest = {
    format: 'pentad-backup',
    formatVersion: FORMAT_VERSION,
    ...facts,
    compression,
    counts,
    checksums: { file: CHECKSUMS, sha256: checksumsFile.sha256 },
    index: { file: INDEX, sha256: indexFile.sha256 },
  }
  const manifest = signingKey ? { ...unsigned, signature: sign(unsigned, Buffer.from(signingKey)) } : unsigned
  const [head, end] = manifestFrame(manifest)
  const tail = createList(join(folder, TAIL))
  const date = Date.parse(facts.created)
  for await (const member of tarMembers(date, [
    {
      name: MANIFEST,
      bytes: head.length + filesList.bytes + end.length,
      content: chain([head], readList(join(folder, MANIFEST)), [end]),
    },
    { name: CHECKSUMS, bytes: checksumsFile.bytes, content: readList(join(folder, CHECKSUMS)) },
    { name: INDEX, bytes: indexFile.bytes, content: readList(join(folder, INDEX)) },
  ])) {
    const packed = compress(member, compression)
    tail.write(packed)
    tail.flush()
    release(member, packed)
  }
  const { bytes, sha256 } = tail.sum()
  tail.write(encodeTrailer(compression, { at, bytes, sha256 }))
  return { manifest, bytes: at + tail.close().bytes }
}

/** In chunks that are large enough to be released. */
function readList(path: string): AsyncIterable<Buffer> {
  return createReadStream(path, { highWaterMark: 256 * 1024 })
}

async function* chain(...parts: readonly (Iterable<Buffer> | AsyncIterable<Buffer>)[]): AsyncGenerator<Buffer> {
  for (const part of parts) yield* part
}

interface TailFile {
  readonly name: string
  readonly bytes: number
  readonly content: Iterable<Buffer> | AsyncIterable<Buffer>
}

/** The tar of the tail with its end marker, in chunks of segment size. */
async function* tarMembers(mtimeMs: number, files: readonly TailFile[]): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = []
  let length = 0
  for await (const chunk of tarBytes(mtimeMs, files)) {
    waiting.push(chunk)
    length += chunk.length
    if (length < SEGMENT_BYTES) continue
    const member = Buffer.concat(waiting)
    release(...waiting)
    yield member
    waiting = []
    length = 0
  }
  yield Buffer.concat(waiting)
}

async function* tarBytes(mtimeMs: number, files: readonly TailFile[]): AsyncGenerator<Buffer> {
  for (const { name, bytes, content } of files) {
    yield await packHeader({ name, type: 'file', mode: 0o644, mtimeMs }, bytes)
    yield* content
    yield Buffer.alloc(padded(bytes) - bytes)
  }
  yield Buffer.alloc(END_OF_TAR)
}

/** Writes a file and computes its checksum. Small writes are buffered. */
function createList(path: string) {
  const file = openSync(path, 'w')
  const hash: Hash = createHash('sha256')
  let waiting: Buffer[] = []
  let held = 0
  let bytes = 0
  const flush = () => {
    const chunk = Buffer.concat(waiting)
    for (let at = 0; at < chunk.length; ) at += writeSync(file, chunk, at)
    hash.update(chunk)
    waiting = []
    held = 0
  }
  const sum = () => {
    flush()
    return { bytes, sha256: hash.copy().digest('hex') }
  }
  return {
    write(chunk: Buffer | string) {
      const piece = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
      waiting.push(piece)
      held += piece.length
      bytes += piece.length
      if (held > 256 * 1024) flush()
    },
    flush,
    sum,
    close() {
      const result = sum()
      closeSync(file)
      return result
    },
  }
}
