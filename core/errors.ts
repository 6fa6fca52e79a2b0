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

  /** What else is wrong: sent as `additional_errors`, as WordPress answers a `WP_Error` with several errors. */
  get additional(): readonly AdditionalError[] {
    return this.#additional
  }

  /**
   * Adds another error to the answer, WordPress's `WP_Error::add`. The first one decides the status.
   *
   * @example
   * ```ts
   * import { RestError } from 'pentad'
   *
   * export function refuse(): never {
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

/** One more error of an answer. */
export interface AdditionalError {
  readonly code: string
  readonly message: string
  readonly data: Readonly<Record<string, unknown>> | null
}

/** Characters of a message or stack that are logged, stored and shown. */
const LONGEST = 20_000

const isFrame = (line: string) => /^ {4}at /.test(line)

/** A message or a stack, in which an extension may put a whole document, as long as it is of use. */
export function shorten(text: string, longest: number = LONGEST): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}…`
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
    if (thrown instanceof Error && typeof `${thrown.name}${thrown.message}${thrown.stack}` === 'string') {
      if (thrown instanceof RestError) return thrown
      if (thrown.message.length <= LONGEST) return origin === undefined ? thrown : withFrames(thrown, origin)
      const frames = stackOf(thrown).slice(-LONGEST).split('\n').filter(isFrame)
      const shorter = new Error(shorten(thrown.message))
      shorter.stack = [`${thrown.name}: ${shorter.message}`, ...frames].join('\n')
      return shorter
    }
    message =
      typeof thrown === 'string'
        ? shorten(thrown)
        : `It threw ${thrown === null ? 'null' : typeof thrown}, not an error.`
  } catch {
    // A getter or a proxy threw.
  }
  const error = new Error(message)
  return origin === undefined ? error : withStackOf(error, origin)
}

/** The error, or where it is frozen a copy, with the frames of another one if it has none: its stack may have been deleted. */
function withFrames(error: Error, origin: Error): Error {
  if (stackOf(error).split('\n').some(isFrame)) return error
  const copy = withStackOf(new Error(error.message), origin)
  return Reflect.set(error, 'stack', copy.stack) ? error : copy
}

/** Of a chain of causes so many are looked at. */
export const MOST_CAUSES = 20

/** An error and its causes, the outermost first. An extension may have made a circle of them. Never throws. */
export function withCauses(thrown: unknown): readonly Error[] {
  const found: Error[] = []
  try {
    for (let error = thrown; error instanceof Error && found.length < MOST_CAUSES; error = error.cause) {
      if (found.includes(error)) break
      found.push(error)
    }
  } catch {
    // A getter or a proxy threw.
  }
  return found
}

/** The `code` of an error, as Node's have one. Never throws. */
export function codeOf(error: Error): unknown {
  try {
    return 'code' in error ? error.code : undefined
  } catch {
    return undefined
  }
}

/** The stack of what was thrown, as text; empty if there is none, as where `Error.stackTraceLimit` was 0. Never throws. */
export function stackOf(thrown: unknown): string {
  try {
    const stack: unknown = thrown instanceof Error ? thrown.stack : undefined
    if (typeof stack === 'string') return stack
    // What `Error.prepareStackTrace` of a program made of it: most often its frames, as objects.
    return Array.isArray(stack) ? [String(thrown), ...stack.map((frame) => `    at ${frame}`)].join('\n') : ''
  } catch {
    return ''
  }
}

/**
 * The error, with the frames of another one in its stack: for a fault that shows where no code of the culprit runs any more.
 *
 * @param origin - Made where the culprit registered its code; without it the stack has no frames.
 */
export function withStackOf<Failure extends Error>(error: Failure, origin: Error | undefined): Failure {
  const frames = stackOf(origin).split('\n').slice(1)
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
  const frames = stackOf(origin).split('\n').slice(1)
  const own = stackOf(error)
  // Not by assignment, which throws where the stack is read-only.
  if (frames.length > 0 && !own.includes(frames.join('\n'))) Reflect.set(error, 'stack', [own, ...frames].join('\n'))
  return error
}
