import type { Host } from '../core/host.ts'

type Blamed = Pick<Host, 'extensions'>

/** Milliseconds between two looks. */
const EVERY = 500
/** Milliseconds in which an extension is paused, before a process ends whose functions cannot be put back. */
const ENDING = 500

/** Objects of JavaScript itself, whose functions all code of the process calls. */
const SHARED = {
  ...{ JSON, Math, Reflect, Object, Array, Promise, Number, String, Symbol, RegExp, Map, Set, WeakMap, WeakSet, Date },
  ...{ URL, URLSearchParams, Buffer, AbortController, AbortSignal, fetch },
}

interface Intrinsic {
  readonly name: string
  readonly holder: object
  readonly key: PropertyKey
  readonly descriptor: PropertyDescriptor
}

/**
 * Puts functions of JavaScript itself back that an extension replaced, `JSON.stringify` or `Array.prototype.map`, and has
 * the extension paused: all code of the process calls them. They are looked at twice a second, since making them
 * read-only would make all code slower. What is added to them stays, but nothing can be added to `Object.prototype`: every
 * object of every extension would have it.
 *
 * @returns `blame`, for `createHost`: from then on that host tells who replaced one.
 */
export function keepIntrinsics(): { blame(host: Blamed): void } {
  let host: Blamed | undefined
  return {
    blame(next) {
      if (!host) {
        Object.preventExtensions(Object.prototype)
        const intrinsics = findIntrinsics()
        setInterval(() => {
          const found = putBack(intrinsics)
          for (const { name, replacement } of found) host?.extensions.reportReplaced(name, replacement)
          // The supervisor starts the site again, without the extension if it could be named.
          if (found.some(({ isBack }) => !isBack)) setTimeout(() => process.exit(1), ENDING)
        }, EVERY).unref()
      }
      host = next
    },
  }
}

function findIntrinsics(): readonly Intrinsic[] {
  return Object.entries(SHARED).flatMap(([name, shared]) => {
    const prototype: unknown = 'prototype' in shared ? shared.prototype : undefined
    return [
      ...functionsOf(globalThis, '', [name]),
      ...functionsOf(shared, `${name}.`, Reflect.ownKeys(shared)),
      ...(typeof prototype === 'object' && prototype !== null
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
    return descriptor?.configurable && (kind === 'function' || kind === 'object')
      ? [{ name: `${path}${String(key)}`, holder, key, descriptor }]
      : []
  })
}

const { defineProperty, getOwnPropertyDescriptor } = Reflect

interface Replaced {
  readonly name: string
  readonly replacement: unknown
  /** `false` if the property was made read-only and the original cannot be restored. */
  readonly isBack: boolean
}

/** Calls nothing but what it keeps itself: anything else may be what was replaced. */
function putBack(intrinsics: readonly Intrinsic[]): readonly Replaced[] {
  const found: Replaced[] = []
  for (let at = 0; at < intrinsics.length; at++) {
    const intrinsic = intrinsics[at]
    if (intrinsic === undefined) continue
    const { name, holder, key, descriptor } = intrinsic
    const now = getOwnPropertyDescriptor(holder, key)
    if (now !== undefined && now.value === descriptor.value && now.get === descriptor.get) continue
    const isBack = defineProperty(holder, key, descriptor)
    found[found.length] = { name, replacement: now?.value ?? now?.get, isBack }
  }
  return found
}
