import { RestError, withStackOf } from '../errors.ts'
import type { Entry } from './entry.ts'

/** Value of `Retry-After` for closed content, in seconds. */
const RETRY_AFTER = 30

/**
 * Protected content cannot be displayed, because the callback that protects it failed or its extension is paused. Like any `RestError` it
 * propagates through every dispatch to the page or REST response, which is a 503 that no cache stores.
 */
export class ContentClosed extends RestError {
  /** The hook whose callback failed. */
  readonly hook: string

  constructor(hook: string) {
    super(
      'content_protected',
      'This content is protected and cannot be displayed at the moment. Please try again later.',
      { status: 503 },
      { 'Retry-After': String(RETRY_AFTER), 'Cache-Control': 'private, no-store' },
    )
    this.hook = hook
  }
}

/** Maximum number of names of a long chain that the message lists. */
const MAX_SHOWN = 8

/**
 * Infinite recursion of dispatches. Propagates through all callbacks to the outermost dispatch, which leaves its value unchanged, and is
 * reported once, to the extension whose callback caused it.
 */
export class HookRecursion extends Error {
  override readonly name = 'HookRecursion'
  /** Whether it was reported to that extension. */
  isReported = false

  /**
   * @param chain names of the dispatches, outermost first
   * @param what plural noun for the message
   */
  constructor(chain: readonly string[], what = 'Hooks') {
    const rest = chain.length - MAX_SHOWN
    const shown = rest > 0 ? [...chain.slice(0, MAX_SHOWN), `… (${rest} more)`] : chain
    super(`${what} call each other infinitely: ${shown.join(' → ')}`)
  }
}

/** A callback exceeded its time limit. */
export class CallbackTimeout extends Error {
  override readonly name = 'TimeoutError'
  /** The callback at fault; for the limit of a request, the one that took most of its time; `undefined` if it was already counted. */
  readonly culprit: Entry | undefined

  constructor(message: string, culprit: Entry | undefined) {
    super(message)
    this.culprit = culprit
    withStackOf(this, culprit?.added)
  }
}
