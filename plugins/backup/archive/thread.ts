import { readlinkSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { ArchiveError } from './errors.ts'
import type { CatalogTask, Listed } from './fill-catalog.ts'
import type { SegmentResult, SegmentTask } from './segment.ts'
import type { Tail, TailTask } from './tail.ts'
import type { UnitTask } from './unit.ts'

/** What the threads of `threads.ts` do. Each loads what its work needs. */
export interface Work {
  readonly segment: { task: SegmentTask; result: SegmentResult }
  readonly unit: { task: UnitTask; result: { readonly sums: readonly (string | undefined)[] } }
  readonly tail: { task: TailTask; result: Tail }
  readonly sum: { task: { readonly path: string }; result: { readonly bytes: number; readonly sha256: string } }
  readonly catalog: { task: CatalogTask; result: Listed }
}

type Order = { [Kind in keyof Work]: { readonly kind: Kind; readonly task: Work[Kind]['task'] } }[keyof Work]

/** A refusal crosses the thread as a value, since an error loses its class on the way. */
export type Answer<Result> =
  | { readonly result: Result }
  | { readonly refused: { code: ArchiveError['code']; message: string } }

yieldToRequests()

/** Entry of a thread of the pool. */
export default async function run(order: Order): Promise<Answer<Work[keyof Work]['result']>> {
  try {
    return { result: await work(order) }
  } catch (error) {
    if (error instanceof ArchiveError) return { refused: { code: error.code, message: error.message } }
    throw error
  }
}

async function work(order: Order): Promise<Work[keyof Work]['result']> {
  switch (order.kind) {
    case 'segment':
      return (await import('./segment.ts')).makeSegment(order.task)
    case 'unit':
      return (await import('./unit.ts')).readUnit(order.task)
    case 'tail':
      return (await import('./tail.ts')).makeTail(order.task)
    case 'sum':
      return (await import('./sha256-file.ts')).sha256OfFile(order.task.path)
    case 'catalog':
      return (await import('./fill-catalog.ts')).fillCatalog(order.task)
  }
}

/**
 * On Linux each thread has a priority of its own: the thread that answers requests goes first. Elsewhere nothing is lost.
 * Below normal and not the lowest, with which a backup comes to a standstill while all cores are busy.
 */
function yieldToRequests(): void {
  try {
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // No such system: all threads are alike.
  }
}
