import type { MessagePort } from 'node:worker_threads'

/** Limits of the code of one extension. */
export interface SandboxLimits {
  /** CPU time of one call, in milliseconds. */
  readonly cpu: number
  /** CPU time to evaluate the code and run `setup`, in milliseconds. */
  readonly startCpu: number
  /** Wall time of one call, in milliseconds; the thread is terminated afterward. */
  readonly wall: number
  /** Memory of one instance, in bytes. */
  readonly memory: number
  /** Calls after which an instance is replaced with a new one. */
  readonly calls: number
  /** Calls that run at the same time, each in an instance. Calls that an extension causes by its own host calls have as many of their own. */
  readonly instances: number
  /** Calls that wait for their turn; more are rejected. */
  readonly waiting: number
  /** Maximum length of the JSON that a call passes to the guest, in characters. */
  readonly input: number
  /** Maximum number of values in the arguments of a hook, and in those of other calls, which the guest checks by its schemas. */
  readonly hookValues: number
  readonly values: number
  /** Maximum length of one message from the guest, in characters. */
  readonly message: number
  /** Requests to the host that one call may have at the same time. */
  readonly requests: number
}

export const LIMITS: SandboxLimits = {
  cpu: 50,
  startCpu: 1_000,
  wall: 3_000,
  memory: 32 * 1024 * 1024,
  calls: 1_000,
  instances: 2,
  waiting: 100,
  input: 512 * 1024,
  hookValues: 10_000,
  values: 1_000,
  message: 4 * 1024 * 1024,
  requests: 16,
}

/** What a thread is started with. */
export interface ThreadData {
  /** The engine, compiled once for the process. */
  readonly engine: WebAssembly.Module
  readonly code: string
  /** Name of the script in stack traces. */
  readonly filename: string
  readonly limits: SandboxLimits
  /** The message that makes the guest run `setup`. */
  readonly start: string
  /** Wakes the thread, which waits for the reply to a synchronous request. */
  readonly wake: SharedArrayBuffer
  /** Receives the replies to synchronous requests. */
  readonly replies: MessagePort
}

/** Message of a call that only makes sure that `setup` has run. */
export const START = ''

/** A message to a thread. All `json` is created and parsed by the host and the guest; the thread passes it on. */
export type ToThread =
  | {
      readonly type: 'call'
      readonly call: number
      /** `START` only runs `setup`. */
      readonly json: string
      /** Whether the instance must have run `setup` before. */
      readonly needsSetup: boolean
      /** Limit of CPU time in milliseconds, if it differs from the default. */
      readonly cpu?: number | undefined
    }
  | { readonly type: 'reply'; readonly call: number; readonly json: string }
  /** Ends a call that took too long. */
  | { readonly type: 'end'; readonly call: number }

/** Why an instance was discarded in the middle of a call. */
export type KillReason = 'requests' | 'cpu' | 'memory' | 'crash' | 'wall'

/** A message from a thread. */
export type FromThread =
  | {
      readonly type: 'done'
      readonly call: number
      readonly json: string
      readonly cpu: number
      readonly memory: number
    }
  | { readonly type: 'failed'; readonly call: number; readonly message: string; readonly stack: string }
  | {
      readonly type: 'killed'
      readonly call: number
      readonly reason: KillReason
      readonly stack: string
      /** The result, if the engine could not interrupt the code before it ended; otherwise empty. */
      readonly json: string
    }
  | { readonly type: 'ended'; readonly call: number }
  /** A request to the host. The thread waits for the reply if it is synchronous. */
  | { readonly type: 'request'; readonly call: number; readonly json: string; readonly isSync: boolean }
