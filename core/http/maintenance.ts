import type Koa from 'koa'
import { RestError } from '../errors.ts'
import type { Undo } from '../hooks/types.ts'

/** Maintenance mode: every request gets a 503 with `Retry-After`. */
export interface Maintenance {
  readonly active: boolean
  /** Turns it on until undone; with several calls, until all are undone. */
  enter(retryAfterSeconds: number): Undo
  /** The error for every request while it is on: 503 `maintenance_mode` with `Retry-After`; `null` while it is off. */
  error(): RestError | null
  readonly middleware: Koa.Middleware
}

export function createMaintenance(): Maintenance {
  const activations = new Map<symbol, number>()

  function error(): RestError | null {
    if (activations.size === 0) return null
    const seconds = Math.max(...activations.values())
    const message = 'Briefly unavailable for scheduled maintenance. Please check back in a minute.'
    return new RestError('maintenance_mode', message, { status: 503 }, { 'Retry-After': String(seconds) })
  }

  return {
    get active() {
      return activations.size > 0
    },
    enter(retryAfterSeconds) {
      const activation = Symbol('maintenance')
      activations.set(activation, retryAfterSeconds)
      return () => void activations.delete(activation)
    },
    error,
    middleware(_context, next) {
      const unavailable = error()
      if (unavailable) throw unavailable
      return next()
    },
  }
}
