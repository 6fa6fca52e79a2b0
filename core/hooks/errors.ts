import { RestError, withStackOf } from '../errors.ts'
import type { Entry } from './entry.ts'

/** Value of `Retry-After` for closed content, in seconds. */
const RETRY_AFTER = 30

/**
 * Protected content cannot be shown, because the callback that protects it failed or its extension is paused. Like any `RestError` it
 * propagates through every dispatch to the page or REST response, which is a 503 that no cache stores.
 */
export class ContentClosed extends RestError {
  /** The hook whose callback failed. */
  readonly hook: string

  constructor(hook: string) {
    super(
      'content_protected',
      'This content is protected, and what protects it does not work now. Please try again later.',
      { status: 503 },
      { 'Retry-After': String(RETRY_AFTER), 'Cache-Control': 'private, no-store' },
    )
    this.hook = hook
  }
}

/** Maximum number of names shown of a long chain. */
const SHOWN = 8

/**
 * Infinite recursion of dispatches. Propagates through all callbacks to the outermost dispatch, which keeps its value; it is reported once
 * to the extension whose callback caused it.
 */
export class HookRecursion extends Error {
  override readonly name = 'HookRecursion'
  /** Whether it was reported to that extension. */
  isTold = false

  /**
   * @param chain names of the dispatches, outermost first
   * @param what plural noun for the message
   */
  constructor(chain: readonly string[], what = 'Hooks') {
    const rest = chain.length - SHOWN
    const shown = rest > 0 ? [...chain.slice(0, SHOWN), `… (${rest} more)`] : chain
    super(`${what} run within each other without an end: ${shown.join(' → ')}`)
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
