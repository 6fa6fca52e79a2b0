/// <reference path="./webassembly.d.ts" />
import variantModule from '@jitl/quickjs-ng-wasmfile-release-sync'
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
} from 'quickjs-emscripten-core'
import type { KillReason, ThreadData } from './messages.ts'

/** By its declarations the variant is a CommonJS module; Node imports the ES module. */
const variant = 'default' in variantModule ? variantModule.default : variantModule

const PAGE = 65_536
/** Memory that the engine declares as its minimum, in pages. */
const INITIAL_PAGES = 256
/** Memory of the engine itself beyond what the guest may allocate, in pages. */
const ENGINE_PAGES = 64
/** The WASM stack has 1 MB; deeper recursion throws a RangeError in the guest before it ends. */
const STACK = 256 * 1024
/** Promise jobs that run before it is checked whether the call has ended. */
const JOBS = 100

/** Requests of the guest. */
export interface GuestListeners {
  /** A message that needs no immediate answer. */
  send(json: string): void
  /** A request whose reply the guest waits for. */
  ask(json: string): string
}

/** The guest broke a limit: its instance must be discarded. */
export class Killed extends Error {
  override readonly name = 'Killed'
  readonly reason: KillReason

  constructor(reason: KillReason, stack: string) {
    super(`The code exceeded its limit: ${reason}.`)
    this.reason = reason
    this.stack = stack
  }
}

/**
 * One instance of the engine with the code of an extension. Its memory belongs to it alone, and is freed as a whole when the instance
 * is no longer referenced: disposing of the objects of QuickJS one by one aborts the engine if there are too many
 * (https://github.com/justjake/quickjs-emscripten/issues/269).
 */
export class Instance {
  readonly #context: QuickJSContext
  readonly #runtime: QuickJSRuntime
  readonly #memory: WebAssembly.Memory
  /** Returns the stack trace of the running code. */
  #trace: QuickJSHandle | undefined
  #receive: QuickJSHandle | undefined
  /** Of the current call. */
  #used = 0
  #limit = 0
  #since = 0
  /** Checks by which the end of the current call may be delayed. */
  #extraChecks = 0
  #killed: Killed | undefined

  private constructor(runtime: QuickJSRuntime, memory: WebAssembly.Memory) {
    this.#runtime = runtime
    this.#memory = memory
    runtime.setInterruptHandler(() => this.#isEnded())
    this.#context = runtime.newContext()
  }

  /** @throws Killed if the code breaks a limit while it is evaluated; Error with the guest's stack if it throws */
  static async create({ engine, code, filename, limits }: ThreadData, listeners: GuestListeners): Promise<Instance> {
    const maximum = Math.max(INITIAL_PAGES, Math.ceil(limits.memory / PAGE) + ENGINE_PAGES)
    const memory = new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum })
    const module = await newQuickJSWASMModuleFromVariant(
      newVariant(variant, { wasmModule: engine, wasmMemory: memory, log: () => {} }),
    )
    const runtime = module.newRuntime({ memoryLimitBytes: limits.memory, maxStackSizeBytes: STACK })
    const instance = new Instance(runtime, memory)
    instance.#addFunctions(listeners, limits.message)
    instance.begin(limits.startCpu)
    instance.#measure(() => instance.#evaluate(code, filename))
    return instance
  }

  /** Bytes of its memory, which never shrinks. */
  get memory(): number {
    return this.#memory.buffer.byteLength
  }

  /** CPU time of the current call so far, in milliseconds. */
  get cpu(): number {
    return this.#used
  }

  /** Starts to measure a call. @param limit - CPU time in milliseconds */
  begin(limit: number): void {
    this.#used = 0
    this.#limit = limit
    this.#extraChecks = 3
  }

  /** Passes a message to the guest, and runs everything that follows from it. @throws Killed if it breaks a limit */
  receive(json: string): void {
    this.#measure(() => {
      const context = this.#context
      const receive = this.#receive
      if (receive === undefined) throw new Error('The code has no entry point.')
      const message = context.newString(json)
      this.#take(context.callFunction(receive, context.undefined, message))
      message.dispose()
    })
  }

  /** Ends the running code as soon as the engine checks whether it may continue. The code cannot catch that. */
  kill(reason: KillReason): void {
    if (this.#killed) return
    // Reading the stack may run code of the guest, which is ended too.
    this.#killed = new Killed(reason, '')
    if (this.#trace === undefined) return
    const result = this.#context.callFunction(this.#trace, this.#context.undefined)
    // The first line is the function that reads the stack.
    if (!result.error) this.#killed.stack = shortText(this.#context, result.value).replace(/^.*\n/, '')
  }

  #measure(work: () => void): void {
    this.#since = cpuTime()
    try {
      work()
      this.#runJobs()
    } catch (error) {
      // The engine ends this way if it cannot allocate memory for itself.
      if (error instanceof WebAssembly.RuntimeError) this.#killed ??= new Killed('crash', stackOf(error))
      if (this.#killed === undefined) throw error
    } finally {
      this.#used += cpuTime() - this.#since
    }
    // A single operation of the engine is not interrupted.
    if (this.#used > this.#limit) this.#killed ??= new Killed('cpu', '')
    if (this.#killed) throw this.#killed
  }

  #runJobs(): void {
    for (;;) {
      const result = this.#runtime.executePendingJobs(JOBS)
      if ('error' in result && result.error) throw this.#errorOf(result.error)
      if (result.value === 0 || this.#killed) return
    }
  }

  /** Called by the engine every 10,000 function calls and repetitions of loops. Returning `true` ends the running code. */
  #isEnded(): boolean {
    if (this.#used + cpuTime() - this.#since > this.#limit) {
      this.kill('cpu')
      // Between two jobs no line runs that could be shown: one of the next checks finds one.
      if (this.#killed?.stack === '' && this.#extraChecks-- > 0) this.#killed = undefined
    }
    return this.#killed !== undefined
  }

  #evaluate(code: string, filename: string): void {
    const context = this.#context
    // Before the code of the extension, which could replace `Error`.
    const trace = context.evalCode('(Error => () => new Error().stack)(Error)')
    if (!trace.error) this.#trace = trace.value
    this.#take(context.evalCode(code, filename))
    const receive = context.getProp(context.global, '__receive')
    if (context.typeof(receive) !== 'function') throw new Error('The code has no entry point.')
    this.#receive = receive
    // Other code of the guest could not do more with it, but could confuse itself.
    this.#take(context.evalCode('delete globalThis.__receive'))
  }

  #addFunctions({ send, ask }: GuestListeners, longest: number): void {
    const context = this.#context
    const text = (handle: QuickJSHandle | undefined): string => {
      if (handle === undefined || context.typeof(handle) !== 'string') throw new Error('The message is not a string.')
      const length = context.getProp(handle, 'length').consume((one) => context.getNumber(one))
      if (length > longest)
        throw new Error(`A response or request has ${length} characters of JSON; at most ${longest} are allowed.`)
      return context.getString(handle)
    }
    const add = (name: string, call: (json: string) => QuickJSHandle) =>
      context.newFunction(name, (json) => call(text(json))).consume((one) => context.setProp(context.global, name, one))
    add('__send', (json) => {
      send(json)
      return context.undefined
    })
    add('__ask', (json) => {
      // Time that the host needs does not count.
      this.#used += cpuTime() - this.#since
      const reply = ask(json)
      this.#since = cpuTime()
      return context.newString(reply)
    })
    add('__parseUrl', (json) => context.newString(parseUrl(json)))
    add('__random', (json) => context.newString(randomText(Number(json))))
  }

  #take(result: ReturnType<QuickJSContext['evalCode']>): void {
    if (result.error) throw this.#errorOf(result.error)
    result.value.dispose()
  }

  #errorOf(handle: QuickJSHandle): Error {
    if (this.#killed) {
      // It has the line of a function that has called nothing yet, too.
      this.#killed.stack = this.#text(handle, 'stack') || (this.#killed.stack ?? '')
      return this.#killed
    }
    const message = this.#text(handle, 'message')
    if (message === 'out of memory') return new Killed('memory', this.#text(handle, 'stack'))
    const error = new Error(message || 'The code failed.')
    error.stack = `${error.message}\n${this.#text(handle, 'stack')}`
    return error
  }

  /** A property of a thrown value, as far as it is a string: a getter or proxy of the guest must not run here. */
  #text(handle: QuickJSHandle, name: string): string {
    const context = this.#context
    if (context.typeof(handle) !== 'object') return name === 'message' ? shortText(context, handle) : ''
    const property = context.getProp(handle, name)
    return context.typeof(property) === 'string' ? shortText(context, property) : ''
  }
}

function shortText(context: QuickJSContext, handle: QuickJSHandle): string {
  return context.typeof(handle) === 'string' ? context.getString(handle).slice(0, 4_000) : ''
}

/** CPU time of this thread, in milliseconds. */
function cpuTime(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? '') : ''
}

/** The parts of a URL as JSON, `null` if it is invalid: the engine has no parser for URLs. @param json - `[url, base]` */
function parseUrl(json: string): string {
  const parsed: unknown = JSON.parse(json)
  const [url, base] = Array.isArray(parsed) ? parsed : []
  const result = URL.parse(String(url), base === undefined || base === null ? undefined : String(base))
  if (result === null) return 'null'
  const { href, origin, protocol, username, password, host, hostname, port, pathname, search, hash } = result
  return JSON.stringify({ href, origin, protocol, username, password, host, hostname, port, pathname, search, hash })
}

/** Random bytes in hexadecimal; the engine has no source of its own. */
function randomText(count: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(Math.min(Math.max(0, Math.trunc(count) || 0), 65_536)))
  return Buffer.from(bytes).toString('hex')
}
