import { RestError, withStackOf } from '../errors.ts'
import type { Entry } from './entry.ts'

/** Seconds after which a client may ask again for what is closed. */
const RETRY_AFTER = 30

/**
 * What a callback protects cannot be shown, because the callback failed or its extension is paused. As any `RestError` it
 * passes through every dispatch, to the page or REST answer, which is 503 and stored by no cache.
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

/** Names shown of a long chain. */
const SHOWN = 8

/**
 * Hooks are dispatched within each other without an end. It goes through all callbacks up to the outermost dispatch, which
 * keeps its value; the extension whose callback closed the circle is told, once.
 */
export class HookRecursion extends Error {
  override readonly name = 'HookRecursion'
  /** Whether the extension that closed the circle was told. */
  isTold = false

  /**
   * @param chain names of the dispatches, outermost first
   * @param what they are, in the plural
   */
  constructor(chain: readonly string[], what = 'Hooks') {
    const rest = chain.length - SHOWN
    const shown = rest > 0 ? [...chain.slice(0, SHOWN), `… (${rest} more)`] : chain
    super(`${what} run within each other without an end: ${shown.join(' → ')}`)
  }
}

/** A callback took too long. */
export class CallbackTimeout extends Error {
  override readonly name = 'TimeoutError'
  /** Whose fault it is: of the time of a whole request, the callback that took most of it; `undefined`: it is known already. */
  readonly culprit: Entry | undefined

  constructor(message: string, culprit: Entry | undefined) {
    super(message)
    this.culprit = culprit
    withStackOf(this, culprit?.added)
  }
}
