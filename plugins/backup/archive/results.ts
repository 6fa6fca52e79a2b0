import { readFileSync, statSync } from 'node:fs'
import type { Warning } from '../types.ts'
import type { StoredEntry } from './format.ts'
import type { SegmentResult } from './segment.ts'
import { resultPath, segmentPath } from './work-folder.ts'

/** The recorded contents of a finished segment. */
export interface Result {
  readonly summary: SegmentResult
  readonly entries: readonly StoredEntry[]
  readonly warnings: readonly Warning[]
}

export function readResult(folder: string, number: number): Result {
  const [first = '', ...lines] = readFileSync(resultPath(folder, number), 'utf8').trimEnd().split('\n')
  const summary: SegmentResult = JSON.parse(first)
  return {
    summary,
    entries: lines.slice(0, summary.entries).map((line): StoredEntry => JSON.parse(line)),
    warnings: lines.slice(summary.entries).map((line): Warning => JSON.parse(line)),
  }
}

/**
 * The summary of a segment that another process wrote; `undefined` if there is none, or if a power failure truncated
 * the segment or its result. The segment file may already be deleted after it was copied into the archive.
 */
export function finishedSegment(folder: string, number: number): SegmentResult | undefined {
  const path = resultPath(folder, number)
  if (!statSync(path, { throwIfNoEntry: false })) return undefined
  const text = readFileSync(path, 'utf8')
  const lines = text.split('\n')
  if (lines.length < 2) return undefined
  const summary: SegmentResult = JSON.parse(lines[0] ?? '')
  if (!text.endsWith('\n') || lines.length !== 1 + summary.entries + summary.warnings + 1) return undefined
  const bytes = statSync(segmentPath(folder, number), { throwIfNoEntry: false })?.size ?? summary.bytes
  return bytes === summary.bytes ? summary : undefined
}
