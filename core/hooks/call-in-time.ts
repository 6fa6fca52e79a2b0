import { RestError, toError } from '../errors.ts'
import type { Owner } from '../owner.ts'
import type { Caller } from './async-run.ts'
import { callOwned } from './compile.ts'
import { type Current, controllerOf, createCallbackFrame } from './current.ts'
import type { Entry } from './entry.ts'
import { CallbackTimeout } from './errors.ts'
import type { CallbackFrame, DispatchFrame, Frame } from './frame.ts'
import { reportError } from './guard.ts'
import { isThenable } from './value-kind.ts'
import { AwaitedCall, type TimeLimits, type WaitingTime, whileLoaded } from './waiting.ts'

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
    const isHanging = owner !== undefined && hanging.isKnown
    if (isHanging && (request?.hangingCalls.has(entry) || !hanging.canProbe)) throw skipped(entry)
    const frame = createCallbackFrame(dispatch)
    // As the dispatch has its own microtask, nothing must be restored.
    chain.enterWith(frame)
    const result = callOwned(entry, args)
    if (!isThenable(result)) {
      frame.ended = true
      return result
    }
    if (!isHanging) return inTime(result, frame, entry, outerCall(dispatch))
    request?.hangingCalls.add(entry)
    watchProbe(result, frame, entry, owner)
    throw skipped(entry)
  }

  /** The result of a call, or a rejection once its time limit is exceeded. */
  function inTime(
    pending: PromiseLike<unknown>,
    frame: CallbackFrame,
    entry: Entry,
    outer: AwaitedCall | undefined,
  ): Promise<unknown> {
    const { owner, hanging } = entry
    const number = hanging.begin()
    const waited = new AwaitedCall(entry, outer)
    frame.awaited = waited
    waiting?.begin(waited)
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const end = () => {
      stop()
      waiting?.end(waited)
      waited.time.end()
      frame.ended = true
    }
    const stop = startTimer(
      () => {
        const ofRequest = waiting === undefined ? limits.callback : limits.request - waiting.spent
        return Math.min(limits.callback - waited.time.milliseconds, ofRequest)
      },
      () => {
        const isRequestOver = waiting !== undefined && waiting.spent >= limits.request - 1
        const error = isRequestOver ? requestTimeout(waiting) : callbackTimeout(entry, request?.hangingCalls.has(entry))
        if (!isRequestOver || waiting.slowest() === entry) {
          hanging.timedOut(number, pending)
          request?.hangingCalls.add(entry)
        }
        controllerOf(frame).abort(error)
        owner?.onAbandoned?.(pending)
        reject(error)
        end()
      },
    )
    const settle = (pass: (result: unknown) => void) => (result: unknown) => {
      if (frame.ended) return
      hanging.finish(number)
      end()
      pass(result)
    }
    const settled = owner === undefined ? pending : whileLoaded(pending, owner)
    settled.then(settle(resolve), settle(reject))
    return promise
  }

  /** Watches a probe, which no dispatch awaits: does the callback still hang? */
  function watchProbe(pending: PromiseLike<unknown>, frame: CallbackFrame, entry: Entry, owner: Owner): void {
    const { hanging } = entry
    const number = hanging.beginProbe()
    const probe = new AwaitedCall(entry, undefined)
    frame.awaited = probe
    owner.onAbandoned?.(pending)
    const end = () => {
      stop()
      probe.time.end()
      frame.ended = true
      hanging.endProbe()
    }
    const stop = startTimer(
      () => limits.callback - probe.time.milliseconds,
      () => {
        const error = callbackTimeout(entry)
        hanging.timedOut(number, pending)
        controllerOf(frame).abort(error)
        end()
        reportError(error, entry, owner, undefined)
      },
    )
    whileLoaded(pending, owner).then(
      () => {
        if (frame.ended) return
        end()
        hanging.finish(number)
      },
      (thrown) => {
        if (frame.ended) return
        end()
        hanging.finish(number)
        const error = toError(thrown, entry.added)
        if (!owner.signal.aborted && !(error instanceof RestError)) reportError(error, entry, owner, undefined)
      },
    )
  }

  /** @param isCounted whether an error of the callback was already counted for the same request */
  function callbackTimeout(entry: Entry, isCounted = false): CallbackTimeout {
    const message = `A callback of ${entry.name} took longer than ${limits.callback} ms.`
    return new CallbackTimeout(message, isCounted ? undefined : entry)
  }

  function requestTimeout(spent: WaitingTime): CallbackTimeout {
    const culprit = spent.isErrorCounted ? undefined : spent.slowest()
    spent.isErrorCounted = true
    return new CallbackTimeout(`A request waited longer than ${limits.request} ms for callbacks.`, culprit)
  }

  /** Has no culprit, because the calls that exceeded the limit were already counted. */
  function skipped({ name }: Entry): CallbackTimeout {
    return new CallbackTimeout(
      `A callback of ${name} took longer than ${limits.callback} ms and has not ended.`,
      undefined,
    )
  }
}

/**
 * Calls `onExpired` when no time remains.
 * @param remaining Milliseconds; called again once they have elapsed, because some of that time may not count.
 * @returns a function that stops the timer
 */
function startTimer(remaining: () => number, onExpired: () => void): () => void {
  let timer = setTimeout(check, Math.max(0, remaining()))
  return () => clearTimeout(timer)

  function check(): void {
    const left = remaining()
    if (left > 1) timer = setTimeout(check, left)
    else onExpired()
  }
}

/** The callback that waits for a dispatch. */
function outerCall(dispatch: DispatchFrame): AwaitedCall | undefined {
  for (let frame: Frame | undefined = dispatch; frame !== undefined; frame = frame.parent) {
    if (frame.isCallback && frame.awaited !== undefined) return frame.awaited
  }
  return undefined
}
