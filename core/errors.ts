/**
 * The error type of the host. Any code may throw it; one place sends it as WordPress's `{ code, message, data: { status, … } }`. Its arguments are those of `WP_Error`.
 *
 * @example
 * ```ts
 * import { RestError } from 'pentad'
 *
 * export function failNotFound(): never {
 *   throw new RestError('backup_not_found', 'No backup has that id.', { status: 404 })
 * }
 * ```
 */
export class RestError extends Error {
  override readonly name = 'RestError'
  /** Machine-readable, lower case with underscores: `rest_forbidden`. */
  readonly code: string
  /** Sent to the client with the code and message; contains at least the HTTP status. */
  readonly data: { readonly status: number; readonly [key: string]: unknown }
  /** HTTP headers of the error response, for example `Retry-After`. */
  readonly headers: Readonly<Record<string, string>>
  readonly #additional: AdditionalError[] = []

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

  /** Further errors, sent as `additional_errors` as WordPress does for a `WP_Error` with several errors. */
  get additional(): readonly AdditionalError[] {
    return this.#additional
  }

  /**
   * Adds another error to the response, like WordPress's `WP_Error::add`. The first error decides the status.
   *
   * @example
   * ```ts
   * import { RestError } from 'pentad'
   *
   * export function failInvalid(): never {
   *   throw new RestError('book_invalid', 'The book is not valid.', { status: 400 })
   *     .add('book_without_isbn', 'The book has no ISBN.', { field: 'isbn' })
   *     .add('book_without_author', 'The book has no author.', { field: 'author' })
   * }
   * ```
   */
  add(code: string, message: string, data: Readonly<Record<string, unknown>> | null = null): this {
    this.#additional.push({ code, message, data })
    return this
  }
}

/** A further error in a response. */
export interface AdditionalError {
  readonly code: string
  readonly message: string
  readonly data: Readonly<Record<string, unknown>> | null
}

/** Maximum length of a message or stack that is logged, stored or displayed, in characters. */
const LONGEST = 20_000

const isFrame = (line: string) => /^ {4}at /.test(line)

/** Truncates a message or stack; an extension may put an entire document in it. */
export function shorten(text: string, longest: number = LONGEST): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}…`
}

/**
 * Converts any thrown value to an error that can be read and logged. Extensions can throw anything: a string, `null`, or an object with
 * getters that throw. The stack of a `RestError` is not read, because V8 would format it.
 *
 * @param origin - An error created where the failing code was registered; its frames are used if the value has no stack.
 */
export function toError(thrown: unknown, origin?: Error): Error {
  let message = 'The code threw a value that cannot be read.'
  try {
    if (thrown instanceof RestError && typeof `${thrown.name}${thrown.message}` === 'string') return thrown
    if (thrown instanceof Error && typeof `${thrown.name}${thrown.message}${thrown.stack}` === 'string') {
      if (thrown.message.length <= LONGEST) return origin === undefined ? thrown : withFrames(thrown, origin)
      const frames = stackOf(thrown).slice(-LONGEST).split('\n').filter(isFrame)
      const shorter = new Error(shorten(thrown.message))
      shorter.stack = [`${thrown.name}: ${shorter.message}`, ...frames].join('\n')
      return shorter
    }
    message =
      typeof thrown === 'string'
        ? shorten(thrown)
        : `The code threw ${thrown === null ? 'null' : typeof thrown} instead of an error.`
  } catch {
    // A getter or proxy threw.
  }
  const error = new Error(message)
  return origin === undefined ? error : withStackOf(error, origin)
}

/** The error with the frames of `origin` if its stack has none, because it was deleted; a copy if the error is frozen. */
function withFrames(error: Error, origin: Error): Error {
  if (stackOf(error).split('\n').some(isFrame)) return error
  const copy = withStackOf(new Error(error.message), origin)
  return Reflect.set(error, 'stack', copy.stack) ? error : copy
}

/** Maximum length of a chain of causes. */
export const MOST_CAUSES = 20

/** An error and its causes, outermost first. Handles circular chains. Never throws. */
export function withCauses(thrown: unknown): readonly Error[] {
  const found: Error[] = []
  try {
    for (let error = thrown; error instanceof Error && found.length < MOST_CAUSES; error = error.cause) {
      if (found.includes(error)) break
      found.push(error)
    }
  } catch {
    // A getter or proxy threw.
  }
  return found
}

/** The `code` of an error, as in Node's errors. Never throws. */
export function codeOf(error: Error): unknown {
  try {
    return 'code' in error ? error.code : undefined
  } catch {
    return undefined
  }
}

/** Whether an error has this code, such as `ENOENT`. */
export function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && codeOf(error) === code
}

/** The message of anything thrown. A host name with several addresses fails with an AggregateError, which has one error per address. */
export function messageOf(thrown: unknown): string {
  if (thrown instanceof AggregateError) return [...new Set(thrown.errors.map(messageOf))].join(', ')
  return thrown instanceof Error ? thrown.message : String(thrown)
}

/** The stack of a thrown value as text; empty if there is none, for example if `Error.stackTraceLimit` is 0. Never throws. */
export function stackOf(thrown: unknown): string {
  try {
    const stack: unknown = thrown instanceof Error ? thrown.stack : undefined
    if (typeof stack === 'string') return stack
    // A custom `Error.prepareStackTrace` can return anything, usually the frames as objects.
    return Array.isArray(stack) ? [String(thrown), ...stack.map((frame) => `    at ${frame}`)].join('\n') : ''
  } catch {
    return ''
  }
}

/**
 * Gives the error the stack of another one, for a problem that is detected when the code responsible is no longer running.
 *
 * @param origin - Created where that code was registered; without it the stack has no frames.
 */
export function withStackOf<Failure extends Error>(error: Failure, origin: Error | undefined): Failure {
  const frames = stackOf(origin).split('\n').slice(1)
  error.stack = [`${error.name}: ${error.message}`, ...frames].join('\n')
  return error
}

/**
 * Appends the frames of another error to the stack of a thrown value. They show where the responsible code was registered if it was not
 * running, for example when its response was being serialized.
 *
 * @param origin - Created where that code was registered.
 */
export function withOrigin(thrown: unknown, origin: Error): Error {
  const error = toError(thrown, origin)
  const frames = stackOf(origin).split('\n').slice(1)
  const own = stackOf(error)
  // Not assigned, because that throws if the stack is read-only.
  if (frames.length > 0 && !own.includes(frames.join('\n'))) Reflect.set(error, 'stack', [own, ...frames].join('\n'))
  return error
}
