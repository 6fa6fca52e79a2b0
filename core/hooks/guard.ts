import { RestError, toError, withStackOf } from '../errors.ts'
import type { Owner } from '../owner.ts'
import type { CheckedHook, KindChange } from './checked-hook.ts'
import { ContentClosed } from './closed.ts'
import type { Callback, Entry } from './entry.ts'
import { HookRecursion } from './hook-recursion.ts'
import type { SettledBy } from './shape-rules.ts'
import { describeValue, isThenable, kindOf } from './value-kind.ts'
import { CallbackTimeout } from './waiting.ts'

/**
 * Of an owned callback, what it throws goes to its owner and the value goes on unchanged; `RestError`
 * passes through, to refuse (contract 2.3). So it is with a value of the wrong kind. Where the callback protects
 * content, the dispatch ends with `ContentClosed` instead. A callback without an owner stays as it is.
 * @param arity Number of arguments that the callback is called with, the value included.
 * @param settled By what the dispatch tells values that need no closer look.
 */
export function guardFilter(entry: Entry, arity: number, hook: CheckedHook, settled: SettledBy): Callback {
  const { callback, owner } = entry
  if (owner === undefined) return callback
  const faults: Faults = {
    accept: (before, result) => accept(entry, owner, hook, before, result),
    passOver: (thrown, value) => passOver(thrown, entry, owner, hook, value),
  }
  if (arity === 1) return guardOfValue(callback, settled, faults)
  const isSettled = IS_SETTLED[settled]
  // Written out for the usual numbers of arguments: collecting and spreading them takes longer than the call.
  if (arity === 2) {
    return (value, second) => {
      try {
        const result = callback(typeof value === 'object' ? ownCopy(value) : value, second)
        return isSettled(result) ? result : faults.accept(value, result)
      } catch (error) {
        return faults.passOver(error, value)
      }
    }
  }
  return (...args) => {
    try {
      const result = callback(...withOwnCopy(args))
      return isSettled(result) ? result : faults.accept(args[0], result)
    } catch (error) {
      return faults.passOver(error, args[0])
    }
  }
}

/** What the guard of one callback does where something is to be looked at. */
interface Faults {
  readonly accept: (before: unknown, result: unknown) => unknown
  readonly passOver: (thrown: unknown, value: unknown) => unknown
}

/**
 * A guard of a callback that gets the value alone, as most do. Written out for each kind and as short as can be: V8 merges
 * a `typeof` and the callback into the dispatch only where the one is compared with a literal and the whole is short.
 */
function guardOfValue(callback: Callback, settled: SettledBy, faults: Faults): Callback {
  if (settled === 'string') {
    return (value) => {
      try {
        const result = callback(typeof value === 'string' ? value : ownCopy(value))
        return typeof result === 'string' ? result : faults.accept(value, result)
      } catch (error) {
        return faults.passOver(error, value)
      }
    }
  }
  if (settled === 'number') {
    return (value) => {
      try {
        const result = callback(typeof value === 'number' ? value : ownCopy(value))
        return typeof result === 'number' ? result : faults.accept(value, result)
      } catch (error) {
        return faults.passOver(error, value)
      }
    }
  }
  const isSettled = IS_SETTLED[settled]
  return (value) => {
    try {
      const result = callback(typeof value === 'object' ? ownCopy(value) : value)
      return isSettled(result) ? result : faults.accept(value, result)
    } catch (error) {
      return faults.passOver(error, value)
    }
  }
}

const IS_SETTLED: Readonly<Record<SettledBy, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  '': () => false,
}

/**
 * What a callback of an extension gets as the value of a filter. Lists and records go by value, as arrays do in WordPress: what
 * a callback does to them in place counts only if it returns them, and not if it throws.
 */
function ownCopy(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  try {
    if (Array.isArray(value)) return value.slice()
    const prototype: unknown = Object.getPrototypeOf(value)
    return prototype === Object.prototype || prototype === null ? { ...value } : value
  } catch {
    // A value that another callback returned, with a getter that throws: that is not this callback's fault.
    return value
  }
}

/** The arguments of a filter's callback, of which the first one is the value. */
export function withOwnCopy(args: readonly unknown[]): readonly unknown[] {
  const copy = ownCopy(args[0])
  return copy === args[0] ? args : args.with(0, copy)
}

/** The arguments of a callback that listens to all hooks: what it does to them is nobody's but its own. */
export function withOwnCopies(args: readonly unknown[]): readonly unknown[] {
  return args.map(ownCopy)
}

/** As `guardFilter`. A promise that a callback returns although nobody awaits it is watched for its error. */
export function guardAction(entry: Entry, hook: CheckedHook): Callback {
  const { callback, owner, name } = entry
  if (owner === undefined) return callback
  return (...args) => {
    try {
      const result = callback(...args)
      if (isThenable(result)) result.then(undefined, (thrown) => owner.onError(toError(thrown, entry.added), name))
    } catch (error) {
      passOver(error, entry, owner, hook, undefined)
    }
  }
}

/** Whether what a callback protects must not be shown when it fails. */
export function isClosed(entry: Entry, hook: CheckedHook): boolean {
  return entry.closed || hook.isProtective
}

/** The value that goes on after an owned callback of a synchronous filter. @throws TypeError if it is a wrong one. */
function accept(entry: Entry, owner: Owner, hook: CheckedHook, before: unknown, result: unknown): unknown {
  if (typeof result === 'object' && isThenable(result) && !isThenable(before)) {
    // Nobody awaits it; that it is rejected too is no news.
    result.then(undefined, () => {})
    owner.onAbandoned?.(result)
    throw wrongValue(entry, 'a promise, but the filter is synchronous')
  }
  if (result === undefined) {
    if (isClosed(entry, hook)) throw wrongValue(entry, 'nothing')
    owner.onUndefined?.(entry.name)
  } else hook.kindChange = checkValue(entry, hook, before, result) ?? hook.kindChange
  return result
}

/** Characters of a text that goes on to other callbacks. A longer one would hold every request that works on it. */
const LONGEST_TEXT = 16_777_216

/** Whether a text is too long to go on. */
export function isTooLong(value: unknown): value is string {
  return typeof value === 'string' && value.length > LONGEST_TEXT
}

/**
 * Checks what a callback returned. Where the hook's values have no shape any value goes on, and what changed its kind is
 * remembered: it is to blame if a later callback fails because of it.
 * @throws TypeError that says what is wrong, and whose stack is where the callback was added.
 */
export function checkValue(entry: Entry, hook: CheckedHook, before: unknown, result: unknown): KindChange | undefined {
  // Unless it was as long before: then it is not this callback's fault.
  if (isTooLong(result) && !isTooLong(before)) {
    throw wrongValue(entry, `a text of ${result.length} characters: at most ${LONGEST_TEXT} go on`)
  }
  const { rule } = hook
  if (rule !== undefined) {
    const fault = rule.fault(result)
    if (fault !== undefined) throw wrongValue(entry, fault)
    return undefined
  }
  if (typeof result === typeof before && kindOf(result) === kindOf(before)) return undefined
  const [from, to] = [describeValue(before), describeValue(result)]
  return { entry, from, to, value: result, dispatch: hook.filtered }
}

/**
 * Tells of an owned callback that failed: its own owner, or that of the callback that is to blame for it.
 * @param value What the callback got.
 * @param change Of the last callback that changed the value's kind.
 */
export function blame(error: Error, entry: Entry, owner: Owner, value: unknown, change?: KindChange): void {
  if (error instanceof HookRecursion) {
    if (!error.isTold) owner.onError(error, entry.name)
    error.isTold = true
    return
  }
  if (error instanceof CallbackTimeout) {
    error.culprit?.owner?.onError(error, error.culprit.name)
    return
  }
  const culprit = change?.entry.owner
  if (change === undefined || culprit === undefined || culprit === owner || !Object.is(change.value, value)) {
    owner.onError(error, entry.name)
    return
  }
  const fault = `${change.to} where it got ${change.from}, and a later callback, of ${owner.id}, failed: ${error.message}`
  culprit.onError(wrongValue(change.entry, fault, error), entry.name)
}

/** @throws RestError what refuses, also on behalf of a callback that protects; HookRecursion up to the outermost dispatch */
function passOver(thrown: unknown, entry: Entry, owner: Owner, hook: CheckedHook, value: unknown): undefined {
  const error = toError(thrown, entry.added)
  if (error instanceof RestError) throw error
  blame(error, entry, owner, value, hook.kindChange?.dispatch === hook.filtered ? hook.kindChange : undefined)
  if (error instanceof HookRecursion && hook.current.depth > 1) throw error
  if (isClosed(entry, hook)) throw new ContentClosed(entry.name)
}

/** An error about what a callback returned. The stack is that of its registration: the callback itself is over. */
export function wrongValue({ name, callback, added }: Entry, fault: string, cause?: unknown): TypeError {
  const message = `The callback ${callback.name || '(anonymous)'} of ${name} returned ${fault}.`
  return withStackOf(new TypeError(message, cause === undefined ? {} : { cause }), added)
}
