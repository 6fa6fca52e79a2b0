import { RestError } from '../errors.ts'
import type { Callback, Entry } from './listeners.ts'
import type { HookOwner } from './types.ts'

/**
 * Of an owned callback, what it throws goes to its owner and the value goes on unchanged; `RestError`
 * passes through, to refuse (contract 2.3). A callback without an owner stays as it is.
 * @param arity Number of arguments that the callback is called with, the value included.
 */
export function guardFilter({ callback, owner, name }: Entry, arity: number): Callback {
  if (owner === undefined) return callback
  const checked = (value: unknown): unknown => {
    if (value === undefined) owner.onUndefined(name)
    return value
  }
  // Written out for the usual numbers of arguments: collecting and spreading them takes longer than the call.
  if (arity === 1) {
    return (value) => {
      try {
        return checked(callback(value))
      } catch (error) {
        return passOver(error, owner, name)
      }
    }
  }
  if (arity === 2) {
    return (value, second) => {
      try {
        return checked(callback(value, second))
      } catch (error) {
        return passOver(error, owner, name)
      }
    }
  }
  return (...args) => {
    try {
      return checked(callback(...args))
    } catch (error) {
      return passOver(error, owner, name)
    }
  }
}

/** As `guardFilter`. A promise that a callback returns although nobody awaits it is watched for its error. */
export function guardAction({ callback, owner, name }: Entry): Callback {
  if (owner === undefined) return callback
  return (...args) => {
    try {
      const result = callback(...args)
      if (isThenable(result)) result.then(undefined, (error) => owner.onError(error, name))
    } catch (error) {
      passOver(error, owner, name)
    }
  }
}

/** Hands an owned callback's error to its owner, or throws it on if it is a refusal. */
export function passOver(error: unknown, owner: HookOwner, name: string): void {
  if (error instanceof RestError) throw error
  owner.onError(error, name)
}

/** Whether a callback returned a promise, of whichever library. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}
