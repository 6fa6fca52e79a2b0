import { __, sprintf } from '../i18n.ts'

/** An error of a route, in WordPress's form `{ code, message, data: { status, … } }`, or a request without a response. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: string
  /** 0 if there was no response. */
  readonly status: number
  readonly data: Readonly<Record<string, unknown>>

  constructor(code: string, message: string, data: Readonly<Record<string, unknown>> = {}) {
    super(message)
    this.code = code
    this.data = data
    this.status = typeof data.status === 'number' ? data.status : 0
  }

  /** From whatever `@wordpress/api-fetch` throws: a response, or an object of the form above. */
  static async of(thrown: unknown): Promise<ApiError> {
    if (thrown instanceof ApiError) return thrown
    if (thrown instanceof DOMException && thrown.name === 'AbortError') throw thrown
    const body: unknown = thrown instanceof Response ? await thrown.json().catch(() => undefined) : thrown
    const status = thrown instanceof Response ? thrown.status : 0
    const { code, message, data } = fields(body)
    if (typeof code === 'string' && typeof message === 'string') {
      return new ApiError(code, message, { status, ...fields(data) })
    }
    if (status === 413)
      return new ApiError(
        'too_large',
        __(
          'The request is too large for the server. Send less at a time, or ask the server administrator to raise the limit.',
          'pentad',
        ),
        { status },
      )
    const text = status
      ? sprintf(__('The server responded with status %d. Please try again.', 'pentad'), status)
      : __('Could not reach the server. Check your connection and try again.', 'pentad')
    return new ApiError('no_answer', text, { status })
  }

  /** The session has expired or was ended on another device. */
  get isSignedOut(): boolean {
    return this.code === 'rest_cookie_invalid_nonce' || this.status === 401
  }

  /** Error messages by parameter name, from `rest_invalid_param`. They are shown at fields with titles, and so omit the parameter's name. */
  get params(): Readonly<Record<string, string>> {
    const texts = Object.entries(fields(this.data.params)).flatMap(([name, text]) =>
      typeof text === 'string'
        ? [[name, text.startsWith(`${name} `) ? text.replace(name, __('This field', 'pentad')) : text]]
        : [],
    )
    return Object.fromEntries(texts)
  }
}

function fields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}
}

/** The message to show for any error. */
export function messageOf(error: unknown): string {
  if (error instanceof ApiError && error.status === 403 && error.code === 'rest_forbidden') {
    return __('Sorry, you are not allowed to do that. Ask a site administrator for access.', 'pentad')
  }
  if (error instanceof ApiError && error.code === 'maintenance_mode') {
    return __('The site is in maintenance mode while a backup is being restored. Try again in a minute.', 'pentad')
  }
  if (error instanceof ApiError && error.code === 'rest_invalid_param') {
    const texts = Object.values(error.params)
    if (texts.length > 0) return `${__('Some fields are not valid.', 'pentad')} ${texts.join(' ')}`
  }
  if (error instanceof ApiError && error.code === 'rest_no_route') {
    return __(
      'This feature is not available. Its service may have been deactivated. Reload the page and try again.',
      'pentad',
    )
  }
  if (error instanceof ApiError && error.code === 'internal_error') {
    return sprintf(
      __('Something went wrong on the server. Look for %s in the server log.', 'pentad'),
      String(error.data.requestId ?? ''),
    )
  }
  return error instanceof Error ? error.message : String(error)
}
