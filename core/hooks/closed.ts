import { RestError } from '../errors.ts'

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
