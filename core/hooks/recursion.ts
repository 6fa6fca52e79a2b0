import { withOrigin } from '../errors.ts'
import type { Owner } from '../owner.ts'
import type { Entry } from './entry.ts'
import { HookRecursion } from './errors.ts'
import type { ChainPosition, DispatchFrame, Frame } from './frame.ts'

/** Maximum depth of nested dispatches; deeper ones are treated as infinite recursion. */
export const MAX_DEPTH = 32
/** Maximum number of concurrent dispatches of a hook within its own: a branching recursion exhausts memory before it gets deep. */
export const MAX_BRANCHES = 250
/** Dispatches that are not awaited never get deep. This many in sequence within this many milliseconds count as infinite. */
const MAX_SEQUENCE = 500
const SEQUENCE_TIME = 10_000

/** Owners of infinite recursions, and until when their dispatches are skipped: otherwise the event loop might never get to pausing them. */
const stopped = new WeakMap<Owner, number>()

/** Position of a dispatch that is not nested. */
export function rootPosition(): ChainPosition {
  return { chain: { branches: 0, broken: undefined }, generation: 0, checkedAt: 0, isBranch: false }
}

/** Position of a dispatch nested at that position. */
export function nestedPosition({ chain, generation, checkedAt }: ChainPosition): ChainPosition {
  return { chain, generation: generation + 1, checkedAt, isBranch: false }
}

/**
 * Adds a nested dispatch to its chain. Returns `false` if it must be skipped, because it continues an infinite sequence of dispatches that
 * are not awaited, so that no caller could catch an error, or is made by the owner of one.
 * @throws HookRecursion if the chain is too deep or has too many branches
 */
export function enterChain(frame: DispatchFrame): boolean {
  const { position, parent } = frame
  if (position === undefined || parent === undefined) return true
  const { chain } = position
  if (chain.broken !== undefined) throw chain.broken
  const caller = (parent.isCallback ? parent.parent : parent).run?.running?.owner
  if (caller !== undefined && performance.now() < (stopped.get(caller) ?? 0)) return false
  if (position.generation % MAX_SEQUENCE === 0 && isEndless(position)) {
    report(new HookRecursion(dispatchNames(frame)), parent)
    return false
  }
  const names = [frame.name]
  let isBranch = false
  for (let outer: Frame | undefined = parent; outer !== undefined; outer = outer.parent) {
    if (outer.ended || outer.isCallback) continue
    names.unshift(outer.name)
    isBranch ||= outer.name === frame.name
  }
  if (isBranch) {
    chain.branches++
    position.isBranch = true
  }
  if (names.length <= MAX_DEPTH && chain.branches <= MAX_BRANCHES) return true
  chain.broken = new HookRecursion(names)
  report(chain.broken, parent)
  throw chain.broken
}

/** Called at intervals within a sequence of dispatches. */
function isEndless(place: ChainPosition): boolean {
  const now = performance.now()
  const isFast = place.checkedAt !== 0 && now - place.checkedAt < SEQUENCE_TIME
  place.checkedAt = now
  return isFast
}

function dispatchNames(last: Frame): string[] {
  const names: string[] = []
  for (let frame: Frame | undefined = last; frame !== undefined; frame = frame.parent) {
    if (!frame.isCallback) names.unshift(frame.name)
  }
  return names
}

/** Reports the recursion to the extension whose callback made the last dispatch. Callbacks of core are skipped: they only forward. */
function report(error: HookRecursion, from: Frame): void {
  let responsible: Entry | undefined
  for (let frame: Frame | undefined = from; frame !== undefined; frame = frame.parent) {
    const running = frame.isCallback ? undefined : frame.run?.running
    if (running?.owner === undefined) continue
    responsible ??= running
    if (running.owner.id === 'core') continue
    responsible = running
    break
  }
  error.isReported = responsible !== undefined
  if (responsible?.added) withOrigin(error, responsible.added)
  if (responsible?.owner === undefined) return
  if (responsible.owner.id !== 'core') stopped.set(responsible.owner, performance.now() + SEQUENCE_TIME)
  responsible.owner.onError(error, responsible.name)
}

/** Removes a finished dispatch from its chain. */
export function leaveChain(frame: DispatchFrame): void {
  frame.ended = true
  if (frame.position?.isBranch) frame.position.chain.branches--
}
