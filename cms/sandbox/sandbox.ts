import { AsyncLocalStorage } from 'node:async_hooks'
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import { RestError } from '../../core/errors.ts'
import { outsideRequests } from '../../core/http/request-context.ts'
import { compileEngine } from './engine.ts'
import { describe, isOutOfMemory, isRecord, type Kill, SandboxKilled, stackOf, toError } from './errors.ts'
import {
  type FromThread,
  type KillReason,
  LIMITS,
  type SandboxLimits,
  START,
  type ThreadData,
  type ToThread,
} from './messages.ts'
import { busy, createQueue, tooLarge } from './queue.ts'
import { countValues } from './values.ts'

/** Nested calls of one extension: its callbacks for what its own host calls cause. */
const DEEPEST = 3
/** Milliseconds within which the thread must end a call that took too long. */
const END_WITHIN = 1_000
/** Memory of the thread itself, in MB: it only passes messages on. */
const THREAD_MEMORY = 64

/** What a call costs. */
export interface CallCost {
  /** CPU time in milliseconds. */
  readonly cpu: number
  /** Bytes of the instance. */
  readonly memory: number
}

export interface SandboxCall {
  /** The hook, route or event, for messages. */
  readonly what: string
  /** What the guest receives; serialized as JSON. */
  readonly message: Readonly<Record<string, unknown>> | typeof START
  /** Default: true. */
  readonly needsSetup?: boolean
  /** Limits in milliseconds, if they differ from the defaults. */
  readonly cpu?: number
  readonly wall?: number
}

/** A request of the guest to the host: a method with arguments, all of them JSON. */
export interface GuestRequest {
  readonly method: string
  readonly args: readonly unknown[]
}

export interface SandboxParts {
  readonly code: string
  readonly filename: string
  /** Names of the methods that the guest's `host` offers. */
  readonly methods: { readonly sync: readonly string[]; readonly async: readonly string[] }
  /** The guest's `host.site`. */
  readonly site?: { readonly url: string; readonly environment: string }
  readonly limits?: Partial<SandboxLimits> | undefined
  /** Answers a request, in the async context of the call that it belongs to. @throws Error, which the guest receives */
  handle(request: GuestRequest, isSync: boolean): unknown
  onKill(kill: Kill): void
  onDone(cost: CallCost): void
}

/** The code of one extension in a thread of its own, which starts with the first call. */
export interface Sandbox {
  /** @returns the guest's result. @throws SandboxKilled if it breaks a limit; RestError or Error that the guest threw */
  call(call: SandboxCall): Promise<unknown>
  /** Ends the thread; calls in flight fail. */
  close(): Promise<void>
}

interface Pending {
  readonly what: string
  /** Limits of the call. */
  readonly cpu: number
  readonly wall: number
  readonly promise: PromiseWithResolvers<unknown>
  readonly inContext: ReturnType<typeof AsyncLocalStorage.snapshot>
  readonly timer: NodeJS.Timeout
  /** Methods of the host that the call waits for, by the ID of the request. */
  readonly requests: Map<unknown, string>
}

interface Thread {
  readonly worker: Worker
  readonly replies: MessagePort
  readonly woken: Int32Array
}

export function createSandbox(parts: SandboxParts): Sandbox {
  const limits = { ...LIMITS, ...parts.limits }
  const depth = new AsyncLocalStorage<number>()
  const pending = new Map<number, Pending>()
  /** Calls that took too long and that the thread has not ended yet. */
  const ending = new Map<number, NodeJS.Timeout>()
  const queue = createQueue(limits.instances, limits.waiting)
  let opened: Promise<Thread> | undefined
  /** Once it is open. */
  let current: Thread | undefined
  let isClosed = false
  let last = 0

  async function open(): Promise<Thread> {
    const engine = await compileEngine()
    const { port1: replies, port2 } = new MessageChannel()
    const wake = new SharedArrayBuffer(4)
    const { code, filename, methods, site } = parts
    const start = JSON.stringify({ type: 'start', methods, site })
    const data: ThreadData = { engine, code, filename, limits, start, wake, replies: port2 }
    const worker = new Worker(new URL('./thread.ts', import.meta.url), {
      workerData: data,
      transferList: [port2],
      // Nothing of the process is of use to it.
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: THREAD_MEMORY },
    })
    worker.unref()
    replies.unref()
    const thread: Thread = { worker, replies, woken: new Int32Array(wake) }
    worker.on('message', (message: FromThread) => receive(thread, message))
    // A thread that was replaced ends no calls of the next one.
    const onEnd = (error: Error) => void (current === thread && endThread(error))
    worker.on('error', onEnd)
    worker.on('exit', () => onEnd(new Error('the sandbox has ended.')))
    current = thread
    return thread
  }

  /** All calls in flight fail; the next call starts a new thread. */
  function endThread(error: Error): void {
    current?.replies.close()
    void current?.worker.terminate()
    current = undefined
    opened = undefined
    for (const timer of ending.values()) clearTimeout(timer)
    ending.clear()
    for (const [call, { what }] of [...pending]) {
      const isFault = !(error instanceof RestError)
      settle(call)?.reject(isFault ? new Error(`${what} was aborted: ${error.message}`, { cause: error }) : error)
    }
  }

  function settle(call: number): PromiseWithResolvers<unknown> | undefined {
    const found = pending.get(call)
    pending.delete(call)
    clearTimeout(found?.timer)
    if (pending.size === 0) current?.worker.unref()
    return found?.promise
  }

  function kill(call: number, reason: KillReason, stack: string): void {
    const found = pending.get(call)
    if (found === undefined) return
    const error = new SandboxKilled(
      { reason, what: found.what, stack },
      { ...limits, cpu: found.cpu, wall: found.wall },
    )
    settle(call)?.reject(error)
    found.inContext(parts.onKill, error.kill)
  }

  /** The call may wait for the site, or keep the thread busy: only then is the thread ended, and all its calls. */
  function end(call: number, thread: Thread): void {
    const methods = [...(pending.get(call)?.requests.values() ?? [])]
    kill(call, 'wall', methods.map((method) => `    waiting for ${method}`).join('\n'))
    if (current !== thread) return
    const restart = () => current === thread && endThread(busy('The extension was restarted.'))
    ending.set(call, setTimeout(restart, END_WITHIN).unref())
    send(thread, { type: 'end', call })
  }

  function receive(thread: Thread, message: FromThread): void {
    if (message.type === 'ended') {
      clearTimeout(ending.get(message.call))
      ending.delete(message.call)
      return
    }
    const found = pending.get(message.call)
    if (found === undefined) {
      if (message.type === 'request' && message.isSync) replyNow(thread, { error: { message: 'The call has ended.' } })
      return
    }
    if (message.type === 'request') {
      found.inContext(answer, thread, message)
    } else if (message.type === 'killed') {
      kill(message.call, message.reason, message.stack || stackIn(message.json))
    } else if (message.type === 'failed') {
      const error = new Error(message.message)
      error.stack = message.stack
      settle(message.call)?.reject(error)
    } else {
      parts.onDone(message)
      try {
        const { value, error } = parseResult(message.json)
        if (error === undefined) settle(message.call)?.resolve(value)
        else if (isOutOfMemory(error)) kill(message.call, 'memory', stackOf(error))
        else settle(message.call)?.reject(toError(error))
      } catch (error) {
        settle(message.call)?.reject(error)
      }
    }
  }

  function answer(thread: Thread, { call, json, isSync }: Extract<FromThread, { type: 'request' }>): void {
    let id: unknown
    const reply = (result: object) => {
      pending.get(call)?.requests.delete(id)
      if (isSync) replyNow(thread, result)
      else if (pending.has(call))
        send(thread, { type: 'reply', call, json: JSON.stringify({ type: 'reply', id, ...result }) })
    }
    const failed = (error: unknown) => reply({ error: describe(error) })
    try {
      const request = readRequest(json)
      id = request.id
      pending.get(call)?.requests.set(id, request.method.slice(0, 100))
      const result = depth.run((depth.getStore() ?? 0) + 1, () => parts.handle(request, isSync))
      if (isSync) reply({ value: result })
      else Promise.resolve(result).then((value) => reply({ value }), failed)
    } catch (error) {
      failed(error)
    }
  }

  async function run({ what, message, needsSetup = true, cpu, wall = limits.wall }: SandboxCall): Promise<unknown> {
    if (isClosed) throw new Error('The sandbox is closed.')
    const call = ++last
    const { input } = limits
    const values = isRecord(message) && message.type === 'hook' ? limits.hookValues : limits.values
    const json = message === START ? START : JSON.stringify(message)
    if (json.length > input || countValues(message, values) > values) throw tooLarge(what, { input, values })
    // It outlives the request that first needs it.
    opened ??= outsideRequests(open)
    const opening = opened
    const promise = Promise.withResolvers<unknown>()
    try {
      const thread = await opening
      const timer = setTimeout(end, wall, call, thread)
      const limit = cpu ?? (message === START ? limits.startCpu : limits.cpu)
      const inContext = AsyncLocalStorage.snapshot()
      pending.set(call, { what, cpu: limit, wall, promise, inContext, timer, requests: new Map() })
      thread.worker.ref()
      send(thread, { type: 'call', call, json, needsSetup, cpu })
    } catch (error) {
      if (opened === opening) opened = undefined
      throw error
    }
    return promise.promise
  }

  return {
    async call(call) {
      const level = depth.getStore() ?? 0
      if (level > DEEPEST)
        throw new Error(
          `${call.what} was not called: the extension triggers it through its own calls, nested too deeply.`,
        )
      return queue.run(level, () => run(call))
    },
    async close() {
      isClosed = true
      const thread = await opened?.catch(() => undefined)
      thread?.worker.ref()
      endThread(new Error('the extension was unloaded.'))
      await thread?.worker.terminate()
    },
  }
}

/** Wakes the thread, which waits for the reply. */
function replyNow({ replies, woken }: Thread, result: object): void {
  replies.postMessage(JSON.stringify(result))
  Atomics.store(woken, 0, 1)
  Atomics.notify(woken, 0)
}

function send({ worker }: Thread, message: ToThread): void {
  worker.postMessage(message)
}

/** @throws SyntaxError if the guest replaced `JSON.stringify` */
function readRequest(json: string): GuestRequest & { readonly id: unknown } {
  const parsed: unknown = JSON.parse(json)
  const { id, method, args } = isRecord(parsed) ? parsed : {}
  return { id, method: String(method), args: Array.isArray(args) ? args : [] }
}

function parseResult(json: string): { readonly value?: unknown; readonly error?: unknown } {
  const parsed: unknown = JSON.parse(json)
  return isRecord(parsed) ? parsed : {}
}

/** The stack trace of the error in a result; empty if there is none. */
function stackIn(json: string): string {
  try {
    return stackOf(parseResult(json).error)
  } catch {
    return ''
  }
}
