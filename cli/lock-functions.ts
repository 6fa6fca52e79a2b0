import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'
import { EventEmitter } from 'node:events'
import { Agent, ClientRequest, Server as HttpServer, IncomingMessage, OutgoingMessage, ServerResponse } from 'node:http'
import { Server as NetServer, Socket } from 'node:net'
import { Duplex, Readable, Stream, Transform, Writable } from 'node:stream'
import { type Callback, isCallback } from '../core/hooks/entry.ts'

const { defineProperty, getOwnPropertyDescriptor } = Reflect

/**
 * Called when code assigns to a locked function. It throws where an extension does.
 *
 * @param name - `JSON.stringify`
 */
export type OnReplaced = (name: string, replacement: unknown) => void

/** Functions that may block for a long time, depending on the other side or the amount of work; without those that the log uses. */
const BLOCKING =
  /^Atomics\.wait$|^(?:child_process|crypto|zlib)\.\w+Sync$|^fs\.(?:append|copy|cp|open|read|readFile|readv|writeFile)\w*Sync$/

/** Wraps a function so that it records its caller while it blocks. */
export type Announce = (native: Callback) => Callback

/** Objects with locked functions. They inherit some of one another, which nothing can be put in front of either. */
const locked = new WeakSet<object>()

/** Classes of Node whose methods the product and its packages use. */
export const CLASSES = {
  ...{ AsyncLocalStorage, AsyncResource, EventEmitter, Stream, Readable, Writable, Duplex, Transform },
  ...{ Socket, NetServer, Agent, ClientRequest, HttpServer, IncomingMessage, OutgoingMessage, ServerResponse },
  ...{ Crypto, Performance: { prototype: Object(Object.getPrototypeOf(performance)) } },
}

/** Not the classes of JavaScript: all code would become slower, since V8 optimizes calls of plain properties only. */
const GLOBALS = [
  ...['fetch', 'structuredClone', 'queueMicrotask', 'setTimeout', 'setInterval', 'setImmediate'],
  ...['clearTimeout', 'clearInterval', 'clearImmediate', 'JSON', 'Buffer', 'process', 'performance', 'crypto'],
]

/** `node:module` is missing: packages that compile what they load add to it. */
const MODULES = [
  ...['assert', 'async_hooks', 'buffer', 'child_process', 'crypto', 'dns', 'dns/promises', 'events'],
  ...['fs', 'fs/promises', 'http', 'https', 'net', 'os', 'path', 'perf_hooks', 'querystring', 'sqlite'],
  ...['stream', 'stream/consumers', 'stream/promises', 'string_decoder', 'timers', 'timers/promises'],
  ...['tls', 'url', 'util', 'v8', 'vm', 'worker_threads', 'zlib'],
]

/** `process.chdir` and `process.emitWarning` are missing: packages replace them, and the product calls neither. */
const OF_PROCESS = [
  ...['nextTick', 'hrtime', 'cwd', 'memoryUsage', 'cpuUsage', 'uptime', 'exit', 'reallyExit', 'abort', 'kill', 'send'],
  ...['disconnect', 'emit', 'on', 'once', 'off', 'addListener', 'removeListener', 'removeAllListeners'],
  ...['prependListener', 'prependOnceListener', 'listeners', 'getBuiltinModule', 'umask', 'execve'],
]

/** Assigned by common packages, graceful-fs and signal-exit, which work without. */
const IGNORED = new Set(['fs.close', 'fs.closeSync', 'process.cwd', 'process.emit', 'process.reallyExit'])

/**
 * Protects shared functions from being replaced: of Node's modules and classes, `process`, `JSON` and timers. An assignment has no effect
 * and calls `refuse`, which may throw; redefining them throws. Objects that inherit from them, and copies, can have their own functions.
 */
export function lockFunctions(refuse: OnReplaced, announce: Announce): void {
  const lock = (holder: object, path: string, keys: readonly PropertyKey[]) => {
    for (const key of keys) lockFunction(holder, key, { name: `${path}${String(key)}`, refuse, announce })
  }
  lock(JSON, 'JSON.', Reflect.ownKeys(JSON))
  lock(Atomics, 'Atomics.', ['wait'])
  lock(globalThis, '', GLOBALS)
  lock(process, 'process.', OF_PROCESS)
  // Time limits and random tokens depend on what these objects inherit.
  for (const instance of [performance, crypto]) locked.add(instance)
  for (const [name, { prototype }] of Object.entries(CLASSES)) {
    // Node itself assigns what begins with `_` to each stream. `constructor` is what `new` and `class` are about.
    const methods = Reflect.ownKeys(prototype).filter((key) => key !== 'constructor' && !String(key).startsWith('_'))
    lock(prototype, `${name}.prototype.`, methods)
  }
  for (const name of MODULES) {
    const exported: object | undefined = process.getBuiltinModule(name)
    if (exported) lock(exported, `${name}.`, Reflect.ownKeys(exported))
  }
}

/** Lets functions that may block record their callers, without protecting them from being replaced. */
export function announceBlocking(announce: Announce): void {
  for (const name of MODULES) {
    const exported: object = process.getBuiltinModule(name) ?? {}
    for (const key of Object.keys(exported)) {
      const native: unknown = BLOCKING.test(`${name}.${key}`) && Reflect.get(exported, key)
      if (isCallback(native)) Reflect.set(exported, key, announce(native))
    }
  }
}

/** With a setter, because most code runs in sloppy mode, where assignments to read-only properties fail silently. */
export function lockFunction(
  holder: object,
  key: PropertyKey,
  { name, refuse, announce }: { readonly name: string; readonly refuse: OnReplaced; readonly announce?: Announce },
): void {
  locked.add(holder)
  const descriptor = getOwnPropertyDescriptor(holder, key)
  if (!descriptor?.configurable) return
  const found: unknown = holder === globalThis ? Reflect.get(holder, key) : descriptor.value
  const original = announce && BLOCKING.test(name) && isCallback(found) ? announce(found) : found
  if (holder !== globalThis && typeof original !== 'function') {
    // A getter without a setter, such as `fs.promises`, cannot be assigned.
    if (descriptor.get && !descriptor.set) defineProperty(holder, key, { ...descriptor, configurable: false })
    return
  }
  /** For copies created from property descriptors; `undefined` if there are none, as in most cases. */
  let copies: WeakMap<object, unknown> | undefined
  defineProperty(holder, key, {
    enumerable: descriptor.enumerable ?? false,
    configurable: false,
    get(this: object) {
      return copies?.has(this) ? copies.get(this) : original
    },
    set(this: object, value: unknown) {
      if (locked.has(this)) {
        if (value !== original && !IGNORED.has(name)) refuse(name, value)
      } else if (!defineProperty(this, key, { value, writable: true, enumerable: true, configurable: true })) {
        copies ??= new WeakMap()
        copies.set(this, value)
      }
    },
  })
}
