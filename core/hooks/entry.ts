import type { Owner } from '../owner.ts'
import type { Hanging } from './hanging.ts'

/** A callback once it is registered; what it takes and returns is the caller's word, kept by the types of `Hooks`. */
export type Callback = (...args: unknown[]) => unknown

/** Whether a value can be called; an author in plain JavaScript may register anything. */
export function isCallback(value: unknown): value is Callback {
  return typeof value === 'function'
}

/** One registration. Adding the same callback again at its priority makes a new one in its place. */
export interface Entry {
  readonly name: string
  readonly callback: Callback
  readonly priority: number
  /** `Infinity`: all arguments. */
  readonly acceptedArgs: number
  /** Absent on the bare registry, where errors propagate. */
  readonly owner: Owner | undefined
  /** Whether it protects content: when it fails, what it protects is not shown. */
  readonly closed: boolean
  /** Made where an owned callback was added, for its stack: where to look for what is wrong with the callback. */
  readonly added: Error | undefined
  /** What its calls took, as far as they were measured: see `time.ts`. */
  readonly spent: { milliseconds: number; longest: number }
  readonly hanging: Hanging
}

/** Written out for the usual numbers of arguments: spreading them takes longer than the call. */
export function call(callback: Callback, args: readonly unknown[]): unknown {
  if (args.length === 0) return callback()
  if (args.length === 1) return callback(args[0])
  if (args.length === 2) return callback(args[0], args[1])
  if (args.length === 3) return callback(args[0], args[1], args[2])
  return callback(...args)
}
