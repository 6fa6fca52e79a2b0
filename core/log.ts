import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino'
import { MOST_CAUSES, shorten, stackOf, toError, withCauses } from './errors.ts'
import { isOutOfDescriptors } from './files/file-descriptors.ts'

export type { Logger }

/** Keys whose values are redacted, at the top level of a record and one level down. */
const SECRET_KEYS = 'password pwd pass authorization cookie token secret apiKey nonce key privateKey'.split(' ')

/** A shortage of file descriptors is logged once per this many milliseconds, because it makes many operations fail. */
const DESCRIPTORS_LOGGED = 60_000

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
  let descriptorsLogged = Number.NEGATIVE_INFINITY
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
          if (isLogging || !isOutOfDescriptors(error)) return write.apply(this, record)
          const now = performance.now()
          if (now - descriptorsLogged < DESCRIPTORS_LOGGED) return
          descriptorsLogged = now
          // Logged as an error even if the first failing operation would only be a warning.
          isLogging = true
          this.error({ err: error }, 'ran out of file descriptors; raise the limit on open files (ulimit -n)')
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
