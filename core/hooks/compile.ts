import { type Callback, call, type Entry } from './entry.ts'
import { copyForOwner, type Guard, LARGE_TEXT_LENGTH } from './guard.ts'
import type { ValidType } from './shapes.ts'

/** Calls the callbacks of one bucket with the arguments of a dispatch. For a filter, returns the final value. */
export type CompiledBucket = Callback

/** Number of compiled buckets. It makes the source of each unique: V8 shares type feedback among functions with equal source. */
let compiled = 0

/**
 * Compiles the callbacks of a filter into straight-line code with inlined guards: each return value is passed to the next callback, and
 * `undefined` leaves the value unchanged. V8 can inline the callbacks, so a valid value costs one `typeof`.
 * @param arity Number of arguments of the dispatch including the value; at least 1.
 * @param validType Result of `typeof` for values that need no further check.
 */
export function compileFilter(
  guard: Guard,
  entries: readonly Entry[],
  arity: number,
  validType: ValidType,
): CompiledBucket {
  const calls = entries.map(({ owner, acceptedArgs }, index) => {
    const [value, ...rest] = parametersOf(arity).slice(0, acceptedArgs)
    if (owner === undefined) {
      return `at = ${index}; result = callback${index}(${parametersOf(arity).slice(0, acceptedArgs)}); if (result !== undefined) argument0 = result`
    }
    const copied = value && [copyOf(validType), ...rest]
    const accepted = `guard.accept(entries[${index}], argument0, result)`
    const next = validType === '' ? accepted : `${validTypeTest(validType)} ? result : ${accepted}`
    return `at = ${index}; result = callback${index}(${copied ?? ''}); argument0 = ${next}`
  })
  return compile(guard, entries, arity, calls, 'return argument0')
}

/** Like `compileFilter`; every callback receives the same arguments. */
export function compileAction(guard: Guard, entries: readonly Entry[], arity: number): CompiledBucket {
  const calls = entries.map(({ owner, acceptedArgs }, index) => {
    const call = `callback${index}(${parametersOf(arity).slice(0, acceptedArgs)})`
    if (owner === undefined) return `at = ${index}; ${call}`
    return `at = ${index}; result = ${call}; if (typeof result === 'object' && result !== null) guard.watch(entries[${index}], result)`
  })
  return compile(guard, entries, arity, calls, '')
}

/** A callback that returned a promise. */
export interface PendingCall {
  readonly entry: Entry
  readonly promise: PromiseLike<unknown>
  /** Start time, if the call is measured. */
  readonly startedAt: number
}

/** Functions of an async dispatch that its compiled code calls. */
export interface AsyncCalls {
  /** Index of the next callback. */
  index: number
  /** The current value of a filter. */
  value: unknown
  /** Checks a return value. @returns what must be awaited before the next callback */
  handleResult(entry: Entry, result: unknown): PendingCall | undefined
  /** Handles an error of the callback before `index` and calls those after it. @throws the error that ends the dispatch */
  resume(thrown: unknown): PendingCall | undefined
}

/** Calls the callbacks of one bucket until one returns a promise. */
export type CompiledAsyncBucket = (calls: AsyncCalls, ...args: readonly unknown[]) => PendingCall | undefined

/** Like `compileFilter`, for async dispatches without time limits. */
export function compileAsync(
  entries: readonly Entry[],
  isFilter: boolean,
  validType: ValidType,
  arity: number,
): CompiledAsyncBucket {
  const parameters = parametersOf(arity)
  const save = isFilter ? 'calls.value = argument0' : ''
  const calls = entries.map(({ owner, acceptedArgs }, index) => {
    const given = parameters.slice(0, acceptedArgs)
    if (isFilter && owner !== undefined && given.length > 0) given[0] = copyOf(validType)
    const call = owner?.run ? `callOwned(entries[${index}], [${given}])` : `callback${index}(${given})`
    const handle = `waiting = calls.handleResult(entries[${index}], result); if (waiting !== undefined) return waiting`
    const next = isFilter
      ? `if (${validTypeTest(validType)}) argument0 = result; else { ${save}; ${handle}; argument0 = calls.value }`
      : `if (typeof result === 'object' && result !== null) { ${handle} }`
    return `calls.index = ${index + 1}; result = ${call}; ${next}`
  })
  const source = `let result, waiting; try {\n${calls.join('\n')}\n${save}
    } catch (error) { ${save}; return calls.resume(error) }`
  return generate(entries, ['calls', ...parameters], source, callOwned)
}

/** Calls a callback in its owner's async context. */
export function callOwned({ callback, owner, describe }: Entry, args: readonly unknown[]): unknown {
  return owner?.run ? owner.run(() => call(callback, args), describe) : call(callback, args)
}

function validTypeTest(validType: ValidType): string {
  if (validType === '') return 'false'
  if (validType === 'string') return `typeof result === 'string' && result.length <= ${LARGE_TEXT_LENGTH}`
  return `typeof result === '${validType}'`
}

function compile(
  guard: Guard,
  entries: readonly Entry[],
  arity: number,
  calls: readonly string[],
  end: string,
): CompiledBucket {
  const parameters = parametersOf(arity)
  const lines = [...calls, end].join('\n')
  const isGuarded = entries.some(({ owner }) => owner !== undefined)
  const body = isGuarded
    ? `try {\n${lines}\n} catch (error) { return guard.resume(error, at, [${parameters}]) }`
    : lines
  return generate(entries, parameters, `let at, result; ${body}`, guard)
}

function generate(entries: readonly Entry[], parameters: readonly string[], body: string, helper: object) {
  const source = `'use strict' // ${compiled++}
    const [${entries.map((_, index) => `callback${index}`)}] = entries.map((entry) => entry.callback)
    return (${parameters}) => { ${body} }`
  return new Function('entries', 'copy', typeof helper === 'function' ? 'callOwned' : 'guard', source)(
    entries,
    copyForOwner,
    helper,
  )
}

function parametersOf(arity: number): string[] {
  return Array.from({ length: arity }, (_, index) => `argument${index}`)
}

/** The value as passed to an extension's callback. */
function copyOf(validType: ValidType): string {
  const isPrimitive = validType === '' ? `typeof argument0 !== 'object'` : `typeof argument0 === '${validType}'`
  return `${isPrimitive} ? argument0 : copy(argument0)`
}
