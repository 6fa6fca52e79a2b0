import { withOrigin } from '../errors.ts'
import type { Entry } from './entry.ts'
import { HookRecursion } from './errors.ts'
import type { DispatchFrame, Frame, Place } from './frame.ts'

/** Dispatches within dispatches; more are taken for a circle. */
export const MAX_DEPTH = 32
/** Dispatches of a hook within its own, at the same time: a circle that branches out fills memory before it is deep. */
export const MAX_BRANCHES = 250
/** A callback may dispatch and not wait: such a line is never deep. So many in a row, within so many ms, have no end. */
const LONGEST_LINE = 500
const LINE_TIME = 10_000

/** Of a dispatch that is within no other one. */
export function outermostPlace(): Place {
  return { chain: { branches: 0, broken: undefined }, generation: 0, since: 0, isBranch: false }
}

/** Of a dispatch that is made at that place. */
export function placeWithin({ chain, generation, since }: Place): Place {
  return { chain, generation: generation + 1, since, isBranch: false }
}

/**
 * Lets a dispatch within another join its chain. `false` if it must not take place: it goes on where others dispatched
 * without waiting, and that has no end. Nobody waits for it who could catch an error.
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

/** Asked of every so many dispatches of a line. */
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

/** Tells the extension whose callback made the dispatch that was one too many; core's callbacks only pass on what one began. */
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

/** A dispatch has ended. */
export function leaveChain(frame: DispatchFrame): void {
  frame.ended = true
  if (frame.place?.isBranch) frame.place.chain.branches--
}
