import type Koa from 'koa'
import { RestError } from './errors.ts'
import type { Undo } from './hooks/types.ts'

/** While it is on, every request is answered 503 with `Retry-After`. */
export interface Maintenance {
  readonly active: boolean
  /** Switches it on until undone; several may hold it at once. */
  enter(retryAfterSeconds: number): Undo
  readonly middleware: Koa.Middleware
}

export function createMaintenance(): Maintenance {
  const holders = new Map<symbol, number>()
  return {
    get active() {
      return holders.size > 0
    },
    enter(retryAfterSeconds) {
      const holder = Symbol('maintenance')
      holders.set(holder, retryAfterSeconds)
      return () => {
        holders.delete(holder)
      }
    },
    async middleware(_context, next) {
      if (holders.size === 0) return next()
      const seconds = Math.max(...holders.values())
      throw new RestError(
        'maintenance_mode',
        'The site is being worked on and will be back shortly.',
        { status: 503 },
        { 'Retry-After': String(seconds) },
      )
    },
  }
}
