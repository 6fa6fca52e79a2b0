import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino'
import { MOST_CAUSES, shorten, stackOf, toError, withCauses } from './errors.ts'
import { serverProblem } from './http/unexpected-error.ts'

export type { Logger }

/** Keys whose values are redacted, at the top level of a record and one level down. */
const SECRET_KEYS = 'password pwd pass authorization cookie token secret apiKey nonce key privateKey'.split(' ')

/** Problems that make many operations fail, so that each is logged, with what to do, once per this many milliseconds. */
const PROBLEM_LOGGED = 60_000
const PROBLEM_MESSAGES: { readonly [Problem in ReturnType<typeof serverProblem> & string]?: string } = {
  overloaded: 'ran out of file descriptors; raise the limit on open files (ulimit -n)',
  moved: 'nothing can be saved; put the database file back, or restore a backup, then restart the site',
}

/**
 * The log of the process: one JSON line per record on standard output by default, with secrets redacted.
 * `level` is one of pino's: `silent`, `error`, `warn`, `info`, `debug`.
 *
 * @param mapLine - Rewrites a record, as JSON, before it is written.
 * @param requestId - Of the request in which the record is written.
 */
export function createLog(
  level: string,
  destination: DestinationStream | 'stdout' | 'stderr' = 'stdout',
  mapLine: (line: string) => string = (line) => line,
  requestId: () => string | undefined = () => undefined,
): Logger {
  const logged = new Map<string, number>()
  let isLogging = false
  return pino(
    {
      level,
      base: null,
      mixin: () => ({ requestId: requestId() }),
      serializers: { err: toRecord, error: toRecord, reason: toRecord },
      hooks: {
        streamWrite: mapLine,
        logMethod(record, write) {
          const error = errorOf(record[0])
          const problem = isLogging ? undefined : serverProblem(error)
          const message = problem && PROBLEM_MESSAGES[problem]
          if (message === undefined) return write.apply(this, record)
          const now = performance.now()
          if (now - (logged.get(message) ?? Number.NEGATIVE_INFINITY) < PROBLEM_LOGGED) return
          logged.set(message, now)
          // Logged as an error even if the first failing operation would only be a warning.
          isLogging = true
          this.error({ err: error }, message)
          isLogging = false
        },
      },
      redact: { paths: SECRET_KEYS.flatMap((key) => [key, `*.${key}`, `*.headers.${key}`]), censor: '[redacted]' },
    },
    typeof destination === 'object'
      ? destination
      : pino.destination({ dest: destination === 'stdout' ? 1 : 2, sync: false }),
  )
}

/** An error as a serializable object. Never throws: an extension may throw an error that is frozen or unreadable. */
function toRecord(given: unknown): unknown {
  try {
    if (!(given instanceof Error)) return given
    if (withCauses(given).length < MOST_CAUSES) return withShortTexts(stdSerializers.err(toError(given)))
  } catch {
    // It is frozen, or a property throws.
  }
  const error = toError(given)
  return withShortTexts({ type: error.name, message: error.message, stack: stackOf(error) })
}

function withShortTexts<Record extends { message: string; stack: string }>(record: Record): Record {
  record.message = shorten(record.message)
  record.stack = shorten(record.stack)
  return record
}

function errorOf(record: unknown): unknown {
  return typeof record === 'object' && record !== null && 'err' in record ? record.err : undefined
}
