import { RestError, toError, withStackOf } from '../errors.ts'
import type { Owner } from '../owner.ts'
import type { Entry } from './entry.ts'
import { CallbackTimeout, ContentClosed, HookRecursion } from './errors.ts'
import { noteTime, type Weight } from './sampling.ts'
import type { Rule, SettledBy } from './shapes.ts'
import { describeValue, isThenable, kindOf } from './value-kind.ts'

/** An owned callback made a value of another kind of the one it got, on a hook whose values have no declared shape. */
export interface KindChange {
  readonly entry: Entry
  /** What it got and returned, in words. */
  readonly from: string
  readonly to: string
  readonly value: unknown
  /** Which dispatch of the hook it was. */
  readonly dispatch: number
}

/** What the guards of a hook's callbacks know of the hook. */
export interface CheckedHook {
  /** How often it was dispatched as a filter. */
  readonly filtered: number
  /** What callbacks may return; `undefined` if nobody declared it. */
  readonly rule: Rule | undefined
  /** Whether every callback of it protects content: see `isClosed`. */
  readonly isProtective: boolean
  /** How many hooks run now, each within the one before. */
  readonly current: { readonly depth: number }
  /** The last one in a synchronous dispatch. */
  kindChange: KindChange | undefined
}

/** What the compiled line of a bucket asks of its guard. */
export interface Guard {
  /** The value after a callback whose result needs a check. @throws TypeError if the result is wrong. */
  accept(entry: Entry, before: unknown, result: unknown): unknown
  /** An action's callback returned an object. */
  watch(entry: Entry, result: object): void
  /** The callback at that index threw. Calls those after it and returns the last value. @throws what ends the dispatch */
  resume(thrown: unknown, index: number, args: readonly unknown[]): unknown
}

/**
 * Guards the callbacks of one bucket: what an owned callback throws is reported to its owner, and the value goes on
 * unchanged; `RestError` ends the dispatch (contract 2.3). The same holds for a value of the wrong kind. Where the callback
 * protects content, the dispatch ends with `ContentClosed` instead. What a callback without an owner throws propagates.
 * @param settled What `typeof` says of values that need no further check.
 */
export function guardFilters(entries: readonly Entry[], hook: CheckedHook, settled: SettledBy): Guard {
  return {
    accept: (entry, before, result) => accept(entry, hook, before, result),
    watch,
    resume(thrown, index, args) {
      passOver(thrown, entries[index], hook, args[0])
      return callFilters(entries.slice(index + 1), hook, settled, args)
    },
  }
}

/** As `guardFilters`. A promise that a callback returns, which no dispatch awaits, is watched for its error. */
export function guardActions(entries: readonly Entry[], hook: CheckedHook): Guard {
  return {
    accept: (_entry, before) => before,
    watch,
    resume(thrown, index, args) {
      passOver(thrown, entries[index], hook, undefined)
      callActions(entries.slice(index + 1), hook, args)
      return undefined
    },
  }
}

/** Calls a filter's callbacks one by one, as the compiled line does all at once, and returns the last value. */
export function callFilters(
  entries: readonly Entry[],
  hook: CheckedHook,
  settled: SettledBy,
  args: readonly unknown[],
  weight: Weight = 0,
): unknown {
  const [, ...rest] = args
  let value = args[0]
  for (const entry of entries) {
    const began = weight === 0 ? 0 : performance.now()
    try {
      const given = [value, ...rest].slice(0, entry.acceptedArgs)
      const result = entry.callback(...(entry.owner === undefined ? given : withOwnCopy(given)))
      if (typeof result === settled) value = result
      else if (entry.owner !== undefined) value = accept(entry, hook, value, result)
      else if (result !== undefined) value = result
    } catch (error) {
      passOver(error, entry, hook, value)
    } finally {
      if (weight !== 0) noteTime(entry, began, weight)
    }
  }
  return value
}

/** As `callFilters`; every callback gets the same arguments. */
export function callActions(
  entries: readonly Entry[],
  hook: CheckedHook,
  args: readonly unknown[],
  weight: Weight = 0,
): void {
  for (const entry of entries) {
    const began = weight === 0 ? 0 : performance.now()
    try {
      watch(entry, entry.callback(...args.slice(0, entry.acceptedArgs)))
    } catch (error) {
      passOver(error, entry, hook, undefined)
    } finally {
      if (weight !== 0) noteTime(entry, began, weight)
    }
  }
}

/**
 * What a callback of an extension gets as the value of a filter. Lists and records go by value, as arrays do in WordPress: what
 * a callback does to them in place counts only if it returns them, and not if it throws.
 */
export function copyForOwner(value: unknown): unknown {
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
  const copy = copyForOwner(args[0])
  return copy === args[0] ? args : args.with(0, copy)
}

/** The arguments of a callback that listens to all hooks: what it does to them is nobody's but its own. */
export function withOwnCopies(args: readonly unknown[]): readonly unknown[] {
  return args.map(copyForOwner)
}

function watch({ owner, name, added }: Entry, result: unknown): void {
  if (owner === undefined || !isThenable(result)) return
  result.then(undefined, (thrown) => owner.onError(toError(thrown, added), name))
}

/** Whether what a callback protects must not be shown when it fails. */
export function isClosed(entry: Entry, hook: CheckedHook): boolean {
  return entry.closed || hook.isProtective
}

/** The value that goes on after an owned callback of a synchronous filter. @throws TypeError if it is a wrong one. */
function accept(entry: Entry, hook: CheckedHook, before: unknown, result: unknown): unknown {
  const { owner } = entry
  if (owner === undefined) return result
  if (typeof result === 'object' && isThenable(result) && !isThenable(before)) {
    // Nobody awaits it; that it is rejected too is no news.
    result.then(undefined, () => {})
    owner.onAbandoned?.(result)
    throw wrongValue(entry, 'a promise, but the filter is synchronous')
  }
  if (result === undefined) {
    if (isClosed(entry, hook)) throw wrongValue(entry, 'nothing')
    owner.onUndefined?.(entry.name)
    return before
  }
  hook.kindChange = checkValue(entry, hook, before, result) ?? hook.kindChange
  return result
}

/** Characters of a text that goes on to other callbacks. A longer one would hold every request that works on it. */
export const LONGEST_TEXT = 16_777_216

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

/** @throws what a callback without an owner threw; RestError; HookRecursion up to the outermost dispatch */
function passOver(thrown: unknown, entry: Entry | undefined, hook: CheckedHook, value: unknown): void {
  if (entry?.owner === undefined) throw thrown
  const error = toError(thrown, entry.added)
  if (error instanceof RestError) throw error
  blame(error, entry, entry.owner, value, hook.kindChange?.dispatch === hook.filtered ? hook.kindChange : undefined)
  if (error instanceof HookRecursion && hook.current.depth > 1) throw error
  if (isClosed(entry, hook)) throw new ContentClosed(entry.name)
}

/** An error about what a callback returned. The stack is that of its registration: the callback itself is over. */
export function wrongValue({ name, callback, added }: Entry, fault: string, cause?: unknown): TypeError {
  const message = `The callback ${callback.name || '(anonymous)'} of ${name} returned ${fault}.`
  return withStackOf(new TypeError(message, cause === undefined ? {} : { cause }), added)
}
