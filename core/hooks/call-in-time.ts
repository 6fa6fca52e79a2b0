import { RestError, toError } from '../errors.ts'
import type { Owner } from '../owner.ts'
import type { Caller } from './async-run.ts'
import { callOwned } from './compile.ts'
import { type Current, createCallbackFrame, lateOf } from './current.ts'
import type { Entry } from './entry.ts'
import { CallbackTimeout } from './errors.ts'
import type { CallbackFrame, DispatchFrame, Frame } from './frame.ts'
import { blame } from './guard.ts'
import { isThenable } from './value-kind.ts'
import { type TimeLimits, WaitedCall, type WaitingTime, whileLoaded } from './waiting.ts'

/**
 * Calls a callback within its time limit. If it is exceeded, the callback's signal is aborted and a later result is discarded. A hanging
 * callback is skipped immediately.
 * @param request the request that waits for the callback
 * @param isOutermost whether the request's time is not already being measured by an outer callback
 */
export function callInTime(
  { chain }: Current,
  limits: TimeLimits,
  request?: WaitingTime,
  isOutermost = request !== undefined,
): Caller {
  const waiting = isOutermost ? request : undefined

  return (dispatch, entry, args) => {
    const { owner, hanging } = entry
    const hangs = owner !== undefined && hanging.isKnown
    if (hangs && (request?.metHanging.has(entry) || !hanging.mayTry)) throw skipped(entry)
    const frame = createCallbackFrame(dispatch)
    const result = chain.run(frame, callOwned, entry, args)
    if (!isThenable(result)) {
      frame.ended = true
      return result
    }
    if (!hangs) return inTime(result, frame, entry, outerCall(dispatch))
    request?.metHanging.add(entry)
    watchTrial(result, frame, entry, owner)
    throw skipped(entry)
  }

  /** The result of a call, or a rejection once its time limit is exceeded. */
  function inTime(
    pending: PromiseLike<unknown>,
    frame: CallbackFrame,
    entry: Entry,
    outer: WaitedCall | undefined,
  ): Promise<unknown> {
    const { owner, hanging } = entry
    const number = hanging.begin()
    const waited = new WaitedCall(entry, outer)
    frame.waited = waited
    waiting?.begin(waited)
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const settled = owner === undefined ? pending : whileLoaded(pending, owner)
    let isOver = false
    const stop = whenOver(
      () => {
        const ofRequest = waiting === undefined ? limits.callback : limits.request - waiting.spent
        return Math.min(limits.callback - waited.own, ofRequest)
      },
      () => {
        isOver = true
        const isRequestOver = waiting !== undefined && waiting.spent >= limits.request - 1
        const error = isRequestOver ? requestTimeout(waiting) : callbackTimeout(entry, request?.metHanging.has(entry))
        if (!isRequestOver || waiting.slowest() === entry) {
          hanging.note(number, pending)
          request?.metHanging.add(entry)
        }
        lateOf(frame).abort(error)
        owner?.onAbandoned?.(pending)
        reject(error)
      },
    )
    const answer = () => {
      if (!isOver) hanging.answer(number)
    }
    settled.then(answer, answer)
    settled.then(resolve, reject)
    return promise.finally(() => {
      stop()
      waiting?.end(waited)
      waited.end()
      frame.ended = true
    })
  }

  /** A probe that is not waited for: shows whether the callback still hangs. */
  function watchTrial(pending: PromiseLike<unknown>, frame: CallbackFrame, entry: Entry, owner: Owner): void {
    const { hanging } = entry
    const number = hanging.beginTrial()
    const trial = new WaitedCall(entry, undefined)
    frame.waited = trial
    owner.onAbandoned?.(pending)
    let isOver = false
    const end = () => {
      isOver = true
      stop()
      trial.end()
      frame.ended = true
      hanging.endTrial()
    }
    const stop = whenOver(
      () => limits.callback - trial.own,
      () => {
        const error = callbackTimeout(entry)
        hanging.note(number, pending)
        lateOf(frame).abort(error)
        end()
        blame(error, entry, owner, undefined)
      },
    )
    whileLoaded(pending, owner).then(
      () => {
        if (isOver) return
        end()
        hanging.answer(number)
      },
      (thrown) => {
        if (isOver) return
        end()
        hanging.answer(number)
        const error = toError(thrown, entry.added)
        if (!owner.signal.aborted && !(error instanceof RestError)) blame(error, entry, owner, undefined)
      },
    )
  }

  /** @param isCounted whether an error of the callback was already counted for the same request */
  function callbackTimeout(entry: Entry, isCounted = false): CallbackTimeout {
    const message = `A callback of ${entry.name} took longer than ${limits.callback} ms.`
    return new CallbackTimeout(message, isCounted ? undefined : entry)
  }

  function requestTimeout(spent: WaitingTime): CallbackTimeout {
    const culprit = spent.isBlamed ? undefined : spent.slowest()
    spent.isBlamed = true
    return new CallbackTimeout(`A request waited longer than ${limits.request} ms for callbacks.`, culprit)
  }

  /** Counts no error: the calls that took too long were counted. */
  function skipped({ name }: Entry): CallbackTimeout {
    return new CallbackTimeout(
      `A callback of ${name} took longer than ${limits.callback} ms and has not ended.`,
      undefined,
    )
  }
}

/**
 * Calls `onOver` when no time remains.
 * @param remaining Milliseconds, checked again after that time.
 * @returns a function that stops the timer
 */
function whenOver(remaining: () => number, onOver: () => void): () => void {
  let timer = setTimeout(look, Math.max(0, remaining()))
  return () => clearTimeout(timer)

  function look(): void {
    const left = remaining()
    if (left > 1) timer = setTimeout(look, left)
    else onOver()
  }
}

/** The callback that waits for a dispatch. */
function outerCall(dispatch: DispatchFrame): WaitedCall | undefined {
  for (let frame: Frame | undefined = dispatch; frame !== undefined; frame = frame.parent) {
    if (frame.isCallback && frame.waited !== undefined) return frame.waited
  }
  return undefined
}
