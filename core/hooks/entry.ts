import type { Description, Owner } from '../owner.ts'
import { Hanging } from './hanging.ts'

/** A registered callback; its signature was checked by the types of `Hooks`. */
export type Callback = (...args: unknown[]) => unknown

/** Whether a value is callable; plain JavaScript can register anything. */
export function isCallback(value: unknown): value is Callback {
  return typeof value === 'function'
}

/** One registration. Adding the same callback again at its priority replaces it in its position. */
export interface Entry {
  readonly name: string
  readonly callback: Callback
  readonly priority: number
  /** `Infinity` for all arguments. */
  readonly acceptedArgs: number
  /** Absent in the bare registry, where errors propagate. */
  readonly owner: Owner | undefined
  /** Whether it protects content: if it fails, the content is not shown. */
  readonly closed: boolean
  /** An error created when an owned callback was added; its stack locates the callback. */
  readonly added: Error | undefined
  /** Does not retain the arguments of a call, because work started by the callback may run for a long time. */
  readonly describe: Description
  /** Measured call times: see `sampling.ts`. */
  readonly spent: { milliseconds: number; longest: number }
  readonly hanging: Hanging
}

/** The priority at which a callback runs: its own, unless the owner of the site chose another one. */
export type PriorityOf = (callback: Pick<Entry, 'name' | 'owner' | 'priority'>) => number

/** A registration of which nothing is measured yet. */
export function createEntry(registration: Omit<Entry, 'describe' | 'spent' | 'hanging'>): Entry {
  const { name, callback, added } = registration
  return {
    ...registration,
    describe: Object.assign(() => `${name} (${callback.name})`, { added }),
    spent: { milliseconds: 0, longest: 0 },
    hanging: new Hanging(),
  }
}

/** Written out for common numbers of arguments: spreading takes longer than the call. */
export function call(callback: Callback, args: readonly unknown[]): unknown {
  if (args.length === 0) return callback()
  if (args.length === 1) return callback(args[0])
  if (args.length === 2) return callback(args[0], args[1])
  if (args.length === 3) return callback(args[0], args[1], args[2])
  return callback(...args)
}
