import { readFileSync } from 'node:fs'
import type { Warning } from '../types.ts'
import type { StoredEntry } from './format.ts'
import type { SegmentResult } from './segment.ts'
import { resultPath } from './work-folder.ts'

/** What a finished segment holds. */
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
