import type { Callback, Entry } from './entry.ts'
import { copyForOwner, type Guard } from './guard.ts'
import type { SettledBy } from './shape-rules.ts'

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
  const source = `'use strict' // ${compiled++}
    const [${entries.map((_, index) => `callback${index}`)}] = entries.map((entry) => entry.callback)
    return (${parameters}) => { let at, result; ${body} }`
  return new Function('entries', 'guard', 'copy', source)(entries, guard, copyForOwner)
}

function parametersOf(arity: number): string[] {
  return Array.from({ length: arity }, (_, index) => `argument${index}`)
}

/** The value as a callback of an extension gets it. */
function copyOf(settled: SettledBy): string {
  const isPrimitive = settled === '' ? `typeof argument0 !== 'object'` : `typeof argument0 === '${settled}'`
  return `${isPrimitive} ? argument0 : copy(argument0)`
}
