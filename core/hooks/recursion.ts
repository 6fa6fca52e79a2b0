import { withOrigin } from '../errors.ts'
import type { Entry } from './entry.ts'
import { HookRecursion } from './errors.ts'
import type { DispatchFrame, Frame, Place } from './frame.ts'

/** Maximum depth of nested dispatches; deeper ones are treated as infinite recursion. */
export const MAX_DEPTH = 32
/** Maximum number of concurrent dispatches of a hook within its own: a branching recursion exhausts memory before it is deep. */
export const MAX_BRANCHES = 250
/** Callbacks that dispatch without waiting are never deep. This many in sequence within this many milliseconds count as infinite. */
const LONGEST_LINE = 500
const LINE_TIME = 10_000

/** Position of a dispatch that is not nested. */
export function outermostPlace(): Place {
  return { chain: { branches: 0, broken: undefined }, generation: 0, since: 0, isBranch: false }
}

/** Position of a dispatch nested at that position. */
export function placeWithin({ chain, generation, since }: Place): Place {
  return { chain, generation: generation + 1, since, isBranch: false }
}

/**
 * Adds a nested dispatch to its chain. Returns `false` if it must not take place, because it continues an infinite sequence of dispatches
 * that are not awaited, in which no caller could catch an error.
 * @throws HookRecursion if the chain is too deep or has too many branches
 */
export function enterChain(frame: DispatchFrame): boolean {
  const { place, parent } = frame
  if (place === undefined || parent === undefined) return true
  const { chain } = place
  if (chain.broken !== undefined) throw chain.broken
  if (place.generation % LONGEST_LINE === 0 && isEndless(place)) {
    tell(new HookRecursion(lineOf(frame)), parent)
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
    place.isBranch = true
  }
  if (names.length <= MAX_DEPTH && chain.branches <= MAX_BRANCHES) return true
  chain.broken = new HookRecursion(names)
  tell(chain.broken, parent)
  throw chain.broken
}

/** Checked at intervals within a sequence of dispatches. */
function isEndless(place: Place): boolean {
  const now = performance.now()
  const isFast = place.since !== 0 && now - place.since < LINE_TIME
  place.since = now
  return isFast
}

function lineOf(last: Frame): string[] {
  const names: string[] = []
  for (let frame: Frame | undefined = last; frame !== undefined; frame = frame.parent) {
    if (!frame.isCallback) names.unshift(frame.name)
  }
  return names
}

/** Reports the recursion to the extension whose callback made the last dispatch; core's callbacks only pass on what another one started. */
function tell(error: HookRecursion, from: Frame): void {
  let closing: Entry | undefined
  for (let frame: Frame | undefined = from; frame !== undefined; frame = frame.parent) {
    const running = frame.isCallback ? undefined : frame.pass?.running
    if (running?.owner === undefined) continue
    closing ??= running
    if (running.owner.id === 'core') continue
    closing = running
    break
  }
  error.isTold = closing !== undefined
  if (closing?.added) withOrigin(error, closing.added)
  closing?.owner?.onError(error, closing.name)
}

/** Removes a finished dispatch from its chain. */
export function leaveChain(frame: DispatchFrame): void {
  frame.ended = true
  if (frame.place?.isBranch) frame.place.chain.branches--
}
