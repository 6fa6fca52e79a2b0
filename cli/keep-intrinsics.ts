import type { Site } from '../app/create-site.ts'
import { announceNative } from '../app/faults/native-calls.ts'
import { stackOf } from '../core/errors.ts'
import { placeOfFunction } from './function-place.ts'
import { CLASSES, lockFunction, lockFunctions, type OnReplaced } from './lock-functions.ts'

type Blamed = Pick<Site, 'blame' | 'extensions' | 'log'>

const { defineProperty, getOwnPropertyDescriptor } = Reflect

/** Milliseconds between two looks. */
const EVERY = 500
/** Milliseconds for pausing an extension before a process ends whose functions cannot be restored. */
const ENDING = 500

const prototypeOf = (value: unknown): object => Object(Object.getPrototypeOf(value))

/** Built-in objects of JavaScript and Node, which all code of the process uses. */
const SHARED = {
  ...{ JSON, Math, Reflect, Object, Function, Array, Promise, Proxy, Number, BigInt, Boolean, String, Symbol, RegExp },
  ...{
    Map,
    Set,
    WeakMap,
    WeakSet,
    WeakRef,
    FinalizationRegistry,
    Date,
    Intl,
    Error,
    TypeError,
    RangeError,
    AggregateError,
  },
  ...{ ArrayBuffer, SharedArrayBuffer, Atomics, DataView, Uint8Array, TypedArray: prototypeOf(Uint8Array), Iterator },
  // Methods that iteration of arrays, maps, sets, strings and generators uses.
  ArrayIterator: prototypeOf([].values()),
  MapIterator: prototypeOf(new Map().values()),
  SetIterator: prototypeOf(new Set().values()),
  StringIterator: prototypeOf(''[Symbol.iterator]()),
  Generator: prototypeOf(function* () {}.prototype),
  AsyncGenerator: prototypeOf(async function* () {}.prototype),
  ...{ URL, URLSearchParams, Buffer, TextEncoder, TextDecoder, AbortController, AbortSignal, Event, EventTarget },
  ...CLASSES,
}

/** Decides whether errors have stacks, which are needed to attribute them to an extension. */
const STACK_LIMIT = 'stackTraceLimit'
const stacks = functionsOf(Error, 'Error.', ['prepareStackTrace', STACK_LIMIT])

/** Makes the names of shared objects read-only, which costs nothing: an assignment has no effect, and throws in strict mode. */
function lockNames(): void {
  for (const name of Object.keys(SHARED)) {
    const descriptor = getOwnPropertyDescriptor(globalThis, name)
    if (descriptor?.writable) defineProperty(globalThis, name, { writable: false, configurable: false })
  }
}

/** Restores stack traces, by which errors are attributed, after any code has changed them. */
export function restoreStacks(): void {
  putBack(stacks)
}

interface Intrinsic {
  readonly name: string
  readonly holder: object
  readonly key: PropertyKey
  readonly descriptor: PropertyDescriptor
  /** Whether it can no longer be replaced. */
  isLocked?: boolean
}

/** The forbidden action. */
const HARM = 'overwrite a global function'

/**
 * Protects built-in functions of JavaScript and Node, and pauses extensions that replace one. Most of Node is locked. Built-in classes of
 * JavaScript, such as `Array.prototype.map`, would get slower if locked, so they are checked twice a second and after an extension is
 * loaded, and restored. A function is locked only after it was replaced by one that does not identify its author, such as another
 * built-in, so that the next attempt is attributed. Added functions stay, but nothing can be added to `Object.prototype`, because all
 * objects would inherit it.
 *
 * @returns `blame`, for `createSite`: afterward that host attributes replacements; and `restore`, which checks immediately and returns
 * whether something was replaced.
 */
export function keepIntrinsics(): { blame(host: Blamed): void; restore(): boolean } {
  let host: Blamed | undefined
  let intrinsics: readonly Intrinsic[] = []

  const onReplaced: OnReplaced = (name, replacement) => {
    if (host) refuse(host, name, replacement)
  }

  function look(): boolean {
    const found = putBackOrEnd(intrinsics)
    for (const { intrinsic, replacement } of found) {
      const isNamed = host?.blame.reportReplaced(intrinsic.name, placeOfFunction(replacement))
      if (isNamed) continue
      lockFunction(intrinsic.holder, intrinsic.key, { name: intrinsic.name, refuse: onReplaced })
      intrinsic.isLocked = true
    }
    return found.length > 0
  }

  /** @throws Error if what is loaded replaced something, so that it does not start */
  function load<Result>(work: () => Result): Result {
    // A function that was replaced before is not this extension's fault.
    look()
    const result = work()
    const [replaced] = putBackOrEnd(intrinsics)
    if (replaced === undefined) return result
    const error = new Error(`It overwrote the global ${replaced.intrinsic.name}.`)
    Reflect.set(error, 'stack', `Error: ${error.message}\n${placeOfFunction(replaced.replacement) ?? ''}`)
    throw error
  }

  return {
    blame(next) {
      const isFirst = host === undefined
      host = next
      if (isFirst) {
        Object.preventExtensions(Object.prototype)
        lockFunctions(onReplaced, (native) => announceNative(native, () => host?.blame.caller()))
        lockNames()
        intrinsics = findIntrinsics()
        setInterval(look, EVERY).unref()
      }
      next.extensions.aroundLoading(load)
    },
    restore: look,
  }
}

/** @throws Error if an extension is to blame */
function refuse({ blame, log }: Blamed, name: string, replacement: unknown): void {
  restoreStacks()
  const what = `${name} = <${typeof replacement}>`
  // Node's own `domain` module replaces functions when it is loaded.
  const isOfNode = /lock-functions\.ts:\S+\n +at \S* ?\(?node:domain:/.test(stackOf(new Error(what)))
  if (!isOfNode && blame.reportExit(what, HARM)) {
    throw new Error(`${what} was blocked: an extension must not ${HARM}.`)
  }
  log.warn({ what }, 'replacement of a built-in function ignored')
}

function findIntrinsics(): readonly Intrinsic[] {
  return Object.entries(SHARED).flatMap(([name, shared]) => {
    const prototype: unknown = 'prototype' in shared ? shared.prototype : undefined
    return [
      ...functionsOf(globalThis, '', [name]),
      ...functionsOf(shared, `${name}.`, Reflect.ownKeys(shared)),
      // `Function.prototype` is a function itself.
      ...((typeof prototype === 'object' && prototype !== null) || typeof prototype === 'function'
        ? functionsOf(prototype, `${name}.prototype.`, Reflect.ownKeys(prototype))
        : []),
    ]
  })
}

/** Those that can be put back. */
function functionsOf(holder: object, path: string, keys: readonly PropertyKey[]): Intrinsic[] {
  return keys.flatMap((key) => {
    const descriptor = Reflect.getOwnPropertyDescriptor(holder, key)
    const kind = typeof (descriptor?.value ?? descriptor?.get)
    return descriptor?.configurable && (kind === 'function' || kind === 'object' || key === STACK_LIMIT)
      ? [{ name: `${path}${String(key)}`, holder, key, descriptor }]
      : []
  })
}

interface Replaced {
  readonly intrinsic: Intrinsic
  readonly replacement: unknown
}

/** If functions cannot be restored, the process ends: the supervisor restarts the site, without the extension if it was identified. */
function putBackOrEnd(intrinsics: readonly Intrinsic[]): readonly Replaced[] {
  const { found, isComplete } = putBack(intrinsics)
  if (!isComplete) setTimeout(() => process.exit(1), ENDING)
  return found
}

/** Uses only saved functions, because any other may have been replaced. */
function putBack(intrinsics: readonly Intrinsic[]): {
  readonly found: readonly Replaced[]
  readonly isComplete: boolean
} {
  const found: Replaced[] = []
  let isComplete = true
  for (let at = 0; at < intrinsics.length; at++) {
    const intrinsic = intrinsics[at]
    if (intrinsic === undefined || intrinsic.isLocked) continue
    const { holder, key, descriptor } = intrinsic
    const now = getOwnPropertyDescriptor(holder, key)
    if (now !== undefined && now.value === descriptor.value && now.get === descriptor.get) continue
    // Fails if the property was made read-only.
    if (!defineProperty(holder, key, descriptor)) isComplete = false
    found[found.length] = { intrinsic, replacement: now?.value ?? now?.get }
  }
  return { found, isComplete }
}
