import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { flushFolder } from 'pentad'
import { writeJson } from '../json-file.ts'
import { pathExists } from '../missing-files.ts'
import type { Compression } from '../types.ts'
import { createBackground } from './background.ts'
import type { Manifest, ManifestFacts, StoredMember } from './format.ts'
import type { SegmentPlan } from './plan.ts'
import { readResult } from './results.ts'
import type { SegmentResult } from './segment.ts'
import type { LargeFileSum, Tail } from './tail.ts'
import type { Threads } from './threads.ts'
import { createUnitReader } from './units.ts'
import { segmentPath, TAIL } from './work-folder.ts'

export interface FinishTask {
  /** Target path. Until it is complete, the archive is written to the same path with the suffix `.part`. */
  readonly path: string
  /** Must be the same on each call. */
  readonly facts: ManifestFacts
  /** Signs the archive; without a key it stays unsigned. Never written to disk. */
  readonly signingKey?: Uint8Array | undefined
}

export interface Finished {
  readonly done: true
  readonly size: number
  /** SHA-256 of the archive file, hexadecimal. */
  readonly sha256: string
  readonly manifest: Manifest
}

interface Segments {
  readonly plan: readonly SegmentPlan[]
  readonly results: readonly SegmentResult[]
}

/** Bytes that are copied at once. */
const COPY_BYTES = 256 * 1024

/** Progress that survives a crash. */
interface State {
  /** Number of segments verified in the archive. */
  readonly checked: number
  readonly sums: readonly LargeFileSum[]
  readonly tail?: Tail
  readonly finished?: Finished
}

type Tick = Finished | { readonly done: false; readonly checkedBytes: number }

/**
 * Turns finished segments into a published archive: assembles and verifies them, appends manifest and index, opens the
 * result as a restore would, computes its checksum and renames it.
 */
export function createFinish({
  folder,
  compression,
  threads,
}: {
  folder: string
  compression: Compression
  threads: Threads
}) {
  const statePath = statePathOf(folder)
  const tails = createBackground<Tail>()
  const openings = createBackground<{ indexed: boolean }>()
  const checksums = createBackground<{ bytes: number; sha256: string }>()
  const units = createUnitReader<{ end: number; sum?: LargeFileSum }>(threads.count)
  let state: State | undefined
  const save = async (next: State) => {
    await writeJson(statePath, next)
    state = next
    return next
  }

  /** Verifies the archive, several units concurrently, and records progress. */
  async function check(state: State, part: string, { plan, results }: Segments, signal: AbortSignal): Promise<State> {
    const starts = startsOf(results)
    const firsts = [...plan.keys()].filter((number) => (plan[number]?.part?.index ?? 0) === 0)
    const read = async (unit: number) => {
      const first = firsts[unit] ?? 0
      const end = firsts[unit + 1] ?? plan.length
      const members = results
        .slice(first, end)
        .map((result, index) => memberOf(result, starts[first + index] ?? 0, index > 0))
      const { sums } = await threads.run('unit', {
        path: part,
        compression,
        members,
        entries: readResult(folder, first).entries,
      })
      const [sha256] = sums
      return { end, ...(plan[first]?.part && sha256 !== undefined && { sum: { segment: first, sha256 } }) }
    }
    const from = firsts.filter((first) => first < state.checked).length
    const done = await units.advance({ from, count: firsts.length, read }, signal)
    return {
      ...state,
      checked: done.at(-1)?.end ?? state.checked,
      sums: [...state.sums, ...done.flatMap(({ sum }) => sum ?? [])],
    }
  }

  return async (segments: Segments, { path, facts, signingKey }: FinishTask, signal: AbortSignal): Promise<Tick> => {
    if (segments.results.length < segments.plan.length) throw new Error('Some segments are missing.')
    const part = `${path}.part`
    const body = segments.results.reduce((sum, { bytes }) => sum + bytes, 0)
    let now = state ?? (await save(await lastState(statePath, part)))
    const notYet = (): Tick => {
      const bytes = segments.results.slice(0, now.checked).reduce((sum, { contentBytes }) => sum + contentBytes, 0)
      return { done: false, checkedBytes: bytes }
    }
    if (now.finished) return publish(part, path, now.finished)
    if (now.checked === 0 && !(await assemble(folder, part, segments.results, signal))) return notYet()
    if (now.checked < segments.plan.length) now = await save(await check(now, part, segments, signal))
    if (now.checked < segments.plan.length) return notYet()
    const { sums } = now
    const tail =
      now.tail ??
      (await tails.wait(
        () => threads.run('tail', { folder, compression, plan: segments.plan, facts, sums, signingKey }),
        signal,
      ))
    if (!tail) return notYet()
    if (!now.tail) now = await save({ ...now, tail })
    const opened = await openings.wait(async () => {
      await appendTail(folder, part, body)
      const catalog = join(folder, 'catalog.db')
      return threads.run('catalog', {
        path: part,
        bytes: tail.bytes,
        compression,
        catalog,
        limit: 0,
      })
    }, signal)
    const sum = opened?.indexed && (await checksums.wait(() => threads.run('sum', { path: part }), signal))
    if (!sum) return notYet()
    const finished: Finished = { done: true, size: sum.bytes, sha256: sum.sha256, manifest: tail.manifest }
    await save({ ...now, finished })
    return publish(part, path, finished)
  }
}

/** The result for a published archive; `undefined` before it is published. */
export async function readFinished(folder: string, path: string): Promise<Finished | undefined> {
  if (!(await pathExists(path))) return undefined
  const state: State = JSON.parse(await readFile(statePathOf(folder), 'utf8'))
  return state.finished
}

function statePathOf(folder: string): string {
  return join(folder, 'finish.json')
}

/** The saved progress. Without any, a leftover partial file belongs to other work and is removed. */
async function lastState(path: string, part: string): Promise<State> {
  if (await pathExists(path)) return JSON.parse(await readFile(path, 'utf8'))
  await rm(part, { force: true })
  return { checked: 0, sums: [] }
}

/** Start offset of each segment in the archive, followed by the end of the last one. */
function startsOf(results: readonly SegmentResult[]): number[] {
  const starts = [0]
  for (const { bytes } of results) starts.push((starts.at(-1) ?? 0) + bytes)
  return starts
}

function memberOf({ bytes, tarBytes, sha256 }: SegmentResult, at: number, continues: boolean): StoredMember {
  return { at, bytes, tarBytes, sha256, continues }
}

/**
 * Copies segments into the archive and removes those that are safely stored from the work folder. Each segment has a
 * fixed offset, so repeating a write after a crash or a pause is harmless.
 */
async function assemble(
  folder: string,
  part: string,
  results: readonly SegmentResult[],
  signal: AbortSignal,
): Promise<boolean> {
  await mkdir(dirname(part), { recursive: true })
  const starts = startsOf(results)
  const file = await open(part, constants.O_RDWR | constants.O_CREAT)
  try {
    const { size } = await file.stat()
    const first = Math.max(
      0,
      starts.findLastIndex((start) => start <= size),
    )
    let number = first
    const buffer = Buffer.allocUnsafe(COPY_BYTES)
    for (; number < results.length && !signal.aborted; number++) {
      await copyInto(file, starts[number] ?? 0, segmentPath(folder, number), buffer)
    }
    await file.datasync()
    for (let gone = first; gone < number; gone++) await rm(segmentPath(folder, gone), { force: true })
    return number === results.length
  } finally {
    await file.close()
  }
}

/** Writes the tail right after the body and truncates the rest: a crash may have left a partial tail. */
async function appendTail(folder: string, part: string, body: number): Promise<void> {
  const file = await open(part, 'r+')
  try {
    await file.truncate(await copyInto(file, body, join(folder, TAIL), Buffer.allocUnsafe(COPY_BYTES)))
    await file.sync()
  } finally {
    await file.close()
  }
}

/**
 * Copies with a single buffer: streams would create garbage for every chunk.
 *
 * @param buffer - Also the same for all segments: V8 would free one of each only after some 50 MB.
 * @returns the offset after the copied bytes
 */
async function copyInto(file: FileHandle, place: number, path: string, buffer: Buffer): Promise<number> {
  const from = await open(path)
  let end = place
  try {
    for (;;) {
      const { bytesRead } = await from.read(buffer, 0, buffer.length)
      if (bytesRead === 0) return end
      for (let at = 0; at < bytesRead; ) {
        const { bytesWritten } = await file.write(buffer, at, bytesRead - at, end)
        at += bytesWritten
        end += bytesWritten
      }
    }
  } finally {
    await from.close()
  }
}

/** Publishes the archive by renaming it, then flushes the folder so that the rename survives a crash. */
async function publish(part: string, path: string, finished: Finished): Promise<Finished> {
  if (await pathExists(part)) await rename(part, path)
  await flushFolder(dirname(path))
  return finished
}
