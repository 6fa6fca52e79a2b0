import { readlinkSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { ArchiveError } from './errors.ts'
import type { CatalogTask, Listed } from './fill-catalog.ts'
import type { SegmentResult, SegmentTask } from './segment.ts'
import type { Tail, TailTask } from './tail.ts'
import type { UnitTask } from './unit.ts'

/** The tasks of the threads in `threads.ts`. Each loads only the modules that it needs. */
export interface Work {
  readonly segment: { task: SegmentTask; result: SegmentResult }
  readonly unit: { task: UnitTask; result: { readonly sums: readonly (string | undefined)[] } }
  readonly tail: { task: TailTask; result: Tail }
  readonly sum: { task: { readonly path: string }; result: { readonly bytes: number; readonly sha256: string } }
  readonly catalog: { task: CatalogTask; result: Listed }
}

type Order = { [Kind in keyof Work]: { readonly kind: Kind; readonly task: Work[Kind]['task'] } }[keyof Work]

/** Archive errors are passed as values, since errors lose their class between threads. */
export type Outcome<Result> =
  | { readonly result: Result }
  | { readonly error: { code: ArchiveError['code']; message: string } }

yieldToRequests()

/** Entry point of a thread in the pool. */
export default async function run(order: Order): Promise<Outcome<Work[keyof Work]['result']>> {
  try {
    return { result: await work(order) }
  } catch (error) {
    if (error instanceof ArchiveError) return { error: { code: error.code, message: error.message } }
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
 * Lowers the priority of this thread, so that the thread that serves requests runs first (Linux only). Below normal
 * rather than the lowest, at which a backup would stall while all cores are busy.
 */
function yieldToRequests(): void {
  try {
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // Not supported on this operating system.
  }
}
