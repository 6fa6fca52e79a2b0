import { type Callback, call, type Entry } from './entry.ts'
import { copyForOwner, type Guard, LONGEST_TEXT } from './guard.ts'
import type { SettledBy } from './shapes.ts'

/** Calls the callbacks of one bucket with the arguments of a dispatch. Of a filter it returns the last value. */
export type CompiledBucket = Callback

/** Compiled buckets so far. Each has source code of its own: V8 shares what it learns of calls among functions of equal source. */
let compiled = 0

/**
 * One straight line of calls with the guards written in: each value goes on to the next callback, where `undefined` leaves
 * it as it was. V8 inlines callbacks into it, so that a guard costs a `typeof` and nothing more until something is wrong.
 * @param arity Number of arguments of the dispatch, the value included; at least 1.
 * @param settled What `typeof` says of values that need no further check.
 */
export function compileFilter(
  guard: Guard,
  entries: readonly Entry[],
  arity: number,
  settled: SettledBy,
): CompiledBucket {
  const calls = entries.map(({ owner, acceptedArgs }, index) => {
    const [value, ...rest] = parametersOf(arity).slice(0, acceptedArgs)
    if (owner === undefined) {
      return `at = ${index}; result = callback${index}(${parametersOf(arity).slice(0, acceptedArgs)}); if (result !== undefined) argument0 = result`
    }
    const copied = value && [copyOf(settled), ...rest]
    const accepted = `guard.accept(entries[${index}], argument0, result)`
    const next = settled === '' ? accepted : `typeof result === '${settled}' ? result : ${accepted}`
    return `at = ${index}; result = callback${index}(${copied ?? ''}); argument0 = ${next}`
  })
  return compile(guard, entries, arity, calls, 'return argument0')
}

/** As `compileFilter`; every callback gets the same arguments. */
export function compileAction(guard: Guard, entries: readonly Entry[], arity: number): CompiledBucket {
  const calls = entries.map(({ owner, acceptedArgs }, index) => {
    const call = `callback${index}(${parametersOf(arity).slice(0, acceptedArgs)})`
    if (owner === undefined) return `at = ${index}; ${call}`
    return `at = ${index}; result = ${call}; if (typeof result === 'object' && result !== null) guard.watch(entries[${index}], result)`
  })
  return compile(guard, entries, arity, calls, '')
}

/** A callback that returned a promise. */
export interface Waiting {
  readonly entry: Entry
  readonly promise: PromiseLike<unknown>
  /** When it was called, if that is measured. */
  readonly began: number
}

/** What the compiled line of an async dispatch asks of the dispatch. */
export interface AsyncCalls {
  /** Of the callback that is called next. */
  index: number
  /** Of a filter, as far as the callbacks have come. */
  value: unknown
  /** A callback returned what needs a check. @returns what has to be awaited before the next callback is called */
  settle(entry: Entry, result: unknown): Waiting | undefined
  /** The callback before `index` threw. Calls those after it. @throws what ends the dispatch */
  resume(thrown: unknown): Waiting | undefined
}

/** Calls the callbacks of one bucket up to one that returned a promise. */
export type CompiledAsyncBucket = (calls: AsyncCalls, ...args: readonly unknown[]) => Waiting | undefined

/** As `compileFilter`, for async dispatches without time limits. */
export function compileAsync(
  entries: readonly Entry[],
  isFilter: boolean,
  settled: SettledBy,
  arity: number,
): CompiledAsyncBucket {
  const parameters = parametersOf(arity)
  const save = isFilter ? 'calls.value = argument0' : ''
  const calls = entries.map(({ owner, acceptedArgs }, index) => {
    const given = parameters.slice(0, acceptedArgs)
    if (isFilter && owner !== undefined && given.length > 0) given[0] = copyOf(settled)
    const call = owner?.run ? `callOwned(entries[${index}], [${given}])` : `callback${index}(${given})`
    const settle = `waiting = calls.settle(entries[${index}], result); if (waiting !== undefined) return waiting`
    const next = isFilter
      ? `if (${isSettled(settled)}) argument0 = result; else { ${save}; ${settle}; argument0 = calls.value }`
      : `if (typeof result === 'object' && result !== null) { ${settle} }`
    return `calls.index = ${index + 1}; result = ${call}; ${next}`
  })
  const source = `let result, waiting; try {\n${calls.join('\n')}\n${save}
    } catch (error) { ${save}; return calls.resume(error) }`
  return generate(entries, ['calls', ...parameters], source, callOwned)
}

/** Where the callback's owner has its code run. */
export function callOwned({ name, callback, owner }: Entry, args: readonly unknown[]): unknown {
  return owner?.run ? owner.run(() => call(callback, args), describe(name, callback)) : call(callback, args)
}

/** Holds nothing else of the call: what the callback starts may go on for long. */
function describe(name: string, callback: Callback): () => string {
  return () => `${name} (${callback.name})`
}

function isSettled(settled: SettledBy): string {
  if (settled === '') return 'false'
  if (settled === 'string') return `typeof result === 'string' && result.length <= ${LONGEST_TEXT}`
  return `typeof result === '${settled}'`
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

/** The value as a callback of an extension gets it. */
function copyOf(settled: SettledBy): string {
  const isPrimitive = settled === '' ? `typeof argument0 !== 'object'` : `typeof argument0 === '${settled}'`
  return `${isPrimitive} ? argument0 : copy(argument0)`
}
