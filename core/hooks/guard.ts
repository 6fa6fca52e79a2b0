import { RestError, toError, withStackOf } from '../errors.ts'
import type { Owner } from '../owner.ts'
import type { Entry } from './entry.ts'
import { CallbackTimeout, ContentClosed, HookRecursion } from './errors.ts'
import { recordTime, type Weight } from './sampling.ts'
import type { Rule, ValidType } from './shapes.ts'
import { describeValue, isThenable, kindOf } from './value-kind.ts'
import type { WaitingTime } from './waiting.ts'

/** A change of the value's type by an owned callback of a hook without a declared shape. */
export interface KindChange {
  readonly entry: Entry
  /** Types received and returned, in words. */
  readonly from: string
  readonly to: string
  readonly value: unknown
  /** Number of the hook's dispatch. */
  readonly dispatch: number
}

/** The state of a hook that the guards of its callbacks need. */
export interface CheckedHook {
  /** Number of filter dispatches. */
  readonly filterCount: number
  /** What callbacks may return; `undefined` if not declared. */
  readonly rule: Rule | undefined
  /** Whether all of its callbacks protect content: see `isClosed`. */
  readonly isProtective: boolean
  /** Current nesting depth of hooks. */
  readonly current: { readonly depth: number; endRecursion(): void; readonly waiting: () => WaitingTime | undefined }
  /** The last change of the type in a synchronous dispatch. */
  kindChange: KindChange | undefined
}

/** Functions of a guard that the compiled code of a bucket calls. */
export interface Guard {
  /** Checks a return value and returns the next value. @throws TypeError if the return value is invalid. */
  accept(entry: Entry, before: unknown, result: unknown): unknown
  /** Handles an object returned by an action's callback. */
  watch(entry: Entry, result: object): void
  /** Handles an error of the callback at that index, calls those after it and returns the final value. @throws the error that ends the dispatch */
  resume(thrown: unknown, index: number, args: readonly unknown[]): unknown
}

/**
 * Guards the callbacks of one bucket: an error or invalid return value of an owned callback is reported to its owner, and the value stays
 * unchanged; a `RestError` ends the dispatch. If the callback protects content, the dispatch ends with `ContentClosed` instead. Errors of
 * callbacks without an owner propagate.
 * @param validType Result of `typeof` for values that need no further check.
 */
export function guardFilters(entries: readonly Entry[], hook: CheckedHook, validType: ValidType): Guard {
  return {
    accept: (entry, before, result) => accept(entry, hook, before, result),
    watch,
    resume(thrown, index, args) {
      handleError(thrown, entries[index], hook, args[0])
      return callFilters(entries.slice(index + 1), hook, validType, args)
    },
  }
}

/** Like `guardFilters`. Rejections of returned promises, which no dispatch awaits, are reported. */
export function guardActions(entries: readonly Entry[], hook: CheckedHook): Guard {
  return {
    accept: (_entry, before) => before,
    watch,
    resume(thrown, index, args) {
      handleError(thrown, entries[index], hook, undefined)
      callActions(entries.slice(index + 1), hook, args)
      return undefined
    },
  }
}

/** Calls a filter's callbacks one by one, like the compiled code, and returns the final value. */
export function callFilters(
  entries: readonly Entry[],
  hook: CheckedHook,
  validType: ValidType,
  args: readonly unknown[],
  weight: Weight = 0,
): unknown {
  const [, ...rest] = args
  let value = args[0]
  for (const entry of entries) {
    const began = weight === 0 ? 0 : performance.now()
    try {
      const given = [value, ...rest].slice(0, entry.acceptedArgs)
      const result = entry.callback(...(entry.owner === undefined ? given : withCopiedValue(given)))
      if (typeof result === validType && !isLarge(result)) value = result
      else if (entry.owner !== undefined) value = accept(entry, hook, value, result)
      else if (result !== undefined) value = result
    } catch (error) {
      handleError(error, entry, hook, value)
    } finally {
      if (weight !== 0) recordTime(entry, began, weight)
    }
  }
  return value
}

/** Like `callFilters`; every callback receives the same arguments. */
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
      handleError(error, entry, hook, undefined)
    } finally {
      if (weight !== 0) recordTime(entry, began, weight)
    }
  }
}

/**
 * The filter value as passed to an extension's callback. Arrays and records are copied, like arrays in WordPress: changes made in
 * place count only if the callback returns them, and not if it throws.
 */
export function copyForOwner(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  try {
    if (Array.isArray(value)) return value.slice()
    const prototype: unknown = Object.getPrototypeOf(value)
    return prototype === Object.prototype || prototype === null ? { ...value } : value
  } catch {
    // The value of another callback has a getter that throws, which is not this callback's fault.
    return value
  }
}

/** The arguments of a filter callback, the value copied. */
export function withCopiedValue(args: readonly unknown[]): readonly unknown[] {
  const copy = copyForOwner(args[0])
  return copy === args[0] ? args : args.with(0, copy)
}

/** The arguments of a callback of the `all` hook, copied so that its changes affect no other callback. */
export function withCopiedArguments(args: readonly unknown[]): readonly unknown[] {
  return args.map(copyForOwner)
}

function watch({ owner, name, added }: Entry, result: unknown): void {
  if (owner === undefined || !isThenable(result)) return
  result.then(undefined, (thrown) => owner.onError(toError(thrown, added), name))
}

/** Whether the content that a callback protects must not be shown if it fails. */
export function isClosed(entry: Entry, hook: CheckedHook): boolean {
  return entry.closed || hook.isProtective
}

/** The next value after an owned callback for a synchronous filter. @throws TypeError if the return value is invalid. */
function accept(entry: Entry, hook: CheckedHook, before: unknown, result: unknown): unknown {
  const { owner } = entry
  if (owner === undefined) return result
  if (typeof result === 'object' && isThenable(result) && !isThenable(before)) {
    // The promise is not awaited; reporting its rejection as well would be redundant.
    result.then(undefined, () => {})
    owner.onAbandoned?.(result)
    throw invalidReturn(entry, 'a promise, but the filter is synchronous')
  }
  if (result === undefined) {
    if (isClosed(entry, hook)) throw invalidReturn(entry, 'nothing')
    owner.onUndefined?.(entry.name)
    return before
  }
  hook.kindChange = checkValue(entry, hook, before, result) ?? hook.kindChange
  return plainArray(result)
}

/** The value; an array is copied if its class or own members could replace the methods that later code calls. */
export function plainArray(value: unknown): unknown {
  if (!Array.isArray(value)) return value
  const keys = Reflect.ownKeys(value)
  // The items and `length`.
  if (Object.getPrototypeOf(value) === Array.prototype && keys.length === value.length + 1) return value
  const items = Object.entries(value).filter(([key]) => /^\d+$/.test(key))
  return Object.assign([], Object.fromEntries(items), { length: value.length })
}

/**
 * Maximum length of a string that is passed to other callbacks, in characters. A longer one would delay every request that processes it.
 */
const MAX_TEXT_LENGTH = 16_777_216

/** Length from which a string is checked, and recorded as growth of the request: see `WaitingTime`. */
export const LARGE_TEXT_LENGTH = 131_072

/** Whether a value is a string of that length. */
export function isLarge(value: unknown): value is string {
  return typeof value === 'string' && value.length > LARGE_TEXT_LENGTH
}

/**
 * Checks the return value of a callback. Without a declared shape any value is accepted, and a change of type is recorded: if a later
 * callback fails because of it, the error is attributed to this callback.
 * @throws TypeError describing the problem; its stack shows where the callback was added.
 */
export function checkValue(entry: Entry, hook: CheckedHook, before: unknown, result: unknown): KindChange | undefined {
  if (isLarge(result)) {
    const growth = result.length - (typeof before === 'string' ? before.length : 0)
    // A value that was too long before is not this callback's fault.
    if (result.length > MAX_TEXT_LENGTH && result.length - growth <= MAX_TEXT_LENGTH) {
      throw invalidReturn(entry, `a string of ${result.length} characters; the maximum is ${MAX_TEXT_LENGTH}`)
    }
    hook.current.waiting()?.recordGrowth(entry, growth)
  }
  const { rule } = hook
  if (rule !== undefined) {
    const fault = rule.fault(result, before)
    if (fault !== undefined) throw invalidReturn(entry, fault)
    return undefined
  }
  if (typeof result === typeof before && kindOf(result) === kindOf(before)) return undefined
  const [from, to] = [describeValue(before), describeValue(result)]
  return { entry, from, to, value: result, dispatch: hook.filterCount }
}

/**
 * Reports the error of an owned callback to its owner, or to the owner of the callback that caused it.
 * @param value The value that the callback received.
 * @param change The last change of the value's type.
 */
export function reportError(error: Error, entry: Entry, owner: Owner, value: unknown, change?: KindChange): void {
  if (error instanceof HookRecursion) {
    if (!error.isReported) owner.onError(error, entry.name)
    error.isReported = true
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
  const fault = `${change.to} instead of ${change.from}, and a later callback of ${owner.id} failed: ${error.message}`
  culprit.onError(invalidReturn(change.entry, fault, error), entry.name)
}

/** @throws errors of callbacks without an owner; RestError; HookRecursion, up to the outermost dispatch */
function handleError(thrown: unknown, entry: Entry | undefined, hook: CheckedHook, value: unknown): void {
  if (entry?.owner === undefined) throw thrown
  const error = toError(thrown, entry.added)
  if (error instanceof RestError) throw error
  const change = hook.kindChange?.dispatch === hook.filterCount ? hook.kindChange : undefined
  reportError(error, entry, entry.owner, value, change)
  if (error instanceof HookRecursion) {
    if (hook.current.depth > 1) throw error
    hook.current.endRecursion()
  }
  if (isClosed(entry, hook)) throw new ContentClosed(entry.name)
}

/** An error about a return value. It has the stack of the registration, because the callback has returned. */
export function invalidReturn({ name, callback, added }: Entry, fault: string, cause?: unknown): TypeError {
  const message = `The callback ${callback.name || '(anonymous)'} of ${name} returned ${fault}.`
  return withStackOf(new TypeError(message, cause === undefined ? {} : { cause }), added)
}
