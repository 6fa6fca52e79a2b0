/**
 * The one error type of the host: thrown deep, answered in one place as WordPress's
 * `{ code, message, data: { status, … } }` (contract 1). Its arguments are `WP_Error`'s.
 *
 * @example
 * ```ts
 * import { RestError } from 'pentad'
 *
 * export function refuse(): never {
 *   throw new RestError('backup_not_found', 'No backup has that id.', { status: 404 })
 * }
 * ```
 */
export class RestError extends Error {
  override readonly name = 'RestError'
  /** Machine-readable, lower case with underscores: `rest_forbidden`. */
  readonly code: string
  /** Sent to the client beside code and message; holds at least the HTTP status. */
  readonly data: { readonly status: number; readonly [key: string]: unknown }
  /** HTTP headers that belong to the refusal, for example `Retry-After`. */
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: string,
    message: string,
    data: { status: number; [key: string]: unknown },
    headers: Record<string, string> = {},
  ) {
    super(message)
    this.code = code
    this.data = data
    this.headers = headers
  }

  get status(): number {
    return this.data.status
  }
}
