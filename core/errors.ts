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

/**
 * What was thrown, as an error that can be read and logged. Code of strangers may throw anything: a text, `null`, an object
 * whose getters throw again.
 *
 * @param origin - An error made where the failing code was registered; what has no stack of its own gets its frames.
 */
export function toError(thrown: unknown, origin?: Error): Error {
  let message = 'It threw a value that cannot be read.'
  try {
    if (thrown instanceof Error && typeof `${thrown.name}${thrown.message}${thrown.stack}` === 'string') return thrown
    message =
      typeof thrown === 'string' ? thrown : `It threw ${thrown === null ? 'null' : typeof thrown}, not an error.`
  } catch {
    // A getter or a proxy threw.
  }
  const error = new Error(message)
  return origin === undefined ? error : withStackOf(error, origin)
}

/**
 * The error, with the frames of another one in its stack: for a fault that shows where no code of the culprit runs any more.
 *
 * @param origin - Made where the culprit registered its code; without it the stack has no frames.
 */
export function withStackOf<Failure extends Error>(error: Failure, origin: Error | undefined): Failure {
  const frames = origin?.stack?.split('\n').slice(1) ?? []
  error.stack = [`${error.name}: ${error.message}`, ...frames].join('\n')
  return error
}

/**
 * What was thrown, as an error whose stack goes on with the frames of another one: where no code of the culprit was running, as in
 * writing its answer as JSON, the place where it registered that code is left.
 *
 * @param origin - Made where the culprit registered its code.
 */
export function withOrigin(thrown: unknown, origin: Error): Error {
  const error = toError(thrown, origin)
  const frames = origin.stack?.split('\n').slice(1) ?? []
  // Not by assignment, which throws where the stack is read-only.
  if (frames.length > 0 && !error.stack?.includes(frames.join('\n')))
    Reflect.set(error, 'stack', [error.stack, ...frames].join('\n'))
  return error
}
