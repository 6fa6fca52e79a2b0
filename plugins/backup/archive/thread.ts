import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { ArchiveError } from './errors.ts'
import { fileSum } from './file-sum.ts'
import { type CatalogTask, fillCatalog } from './fill-catalog.ts'
import { makeSegment, type SegmentTask } from './segment.ts'
import { makeTail, type TailTask } from './tail.ts'
import { readUnit, type UnitTask } from './unit.ts'

/** What the threads of `threads.ts` do. One kind of work each. */
export interface Work {
  readonly segment: { task: SegmentTask; result: Awaited<ReturnType<typeof makeSegment>> }
  readonly unit: { task: UnitTask; result: Awaited<ReturnType<typeof readUnit>> }
  readonly tail: { task: TailTask; result: Awaited<ReturnType<typeof makeTail>> }
  readonly sum: { task: { readonly path: string }; result: Awaited<ReturnType<typeof fileSum>> }
  readonly catalog: { task: CatalogTask; result: Awaited<ReturnType<typeof fillCatalog>> }
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

function work(order: Order): Promise<Work[keyof Work]['result']> {
  switch (order.kind) {
    case 'segment':
      return makeSegment(order.task)
    case 'unit':
      return readUnit(order.task)
    case 'tail':
      return makeTail(order.task)
    case 'sum':
      return fileSum(order.task.path)
    case 'catalog':
      return fillCatalog(order.task)
  }
}

/** On Linux each thread has a priority of its own: the thread that answers requests goes first. Elsewhere nothing is lost. */
function yieldToRequests(): void {
  try {
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), 15)
  } catch {
    // No such system: all threads are alike.
  }
}
