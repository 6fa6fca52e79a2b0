import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino'
import { isOutOfDescriptors } from './file-descriptors.ts'

export type { Logger }

/** Keys whose values never reach a log, at the top of a record and one level down. */
const SECRET_KEYS = [
  'password',
  'pwd',
  'pass',
  'authorization',
  'cookie',
  'token',
  'secret',
  'apiKey',
  'nonce',
  'key',
  'privateKey',
]

/** Milliseconds for which the lack of file descriptors is logged once: everything that fails of it would log it too. */
const DESCRIPTORS_LOGGED = 60_000

/**
 * The process's log: one JSON line a record on standard output, secrets redacted.
 * `level` is pino's: `silent`, `error`, `warn`, `info`, `debug`.
 *
 * @param mapStack - Brings the stack of each logged error, of its causes and of the errors within it to the author's files.
 */
export function createLog(
  level: string,
  destination?: DestinationStream,
  mapStack: (stack: string) => string = (stack) => stack,
): Logger {
  let descriptorsLogged = Number.NEGATIVE_INFINITY
  const toRecord = (error: unknown) =>
    error instanceof Error ? withMappedStacks(stdSerializers.err(error), mapStack) : error
  return pino(
    {
      level,
      base: null,
      serializers: { err: toRecord, error: toRecord, reason: toRecord },
      hooks: {
        logMethod(record, write) {
          const error = errorOf(record[0])
          if (!isOutOfDescriptors(error)) return write.apply(this, record)
          const now = performance.now()
          if (now - descriptorsLogged < DESCRIPTORS_LOGGED) return
          descriptorsLogged = now
          write.call(this, { err: error }, 'ran out of file descriptors; raise the limit of open files (ulimit -n)')
        },
      },
      redact: { paths: SECRET_KEYS.flatMap((key) => [key, `*.${key}`, `*.headers.${key}`]), censor: '[redacted]' },
    },
    destination ?? pino.destination({ dest: 1, sync: false }),
  )
}

function errorOf(record: unknown): unknown {
  return typeof record === 'object' && record !== null && 'err' in record ? record.err : undefined
}

/** Stacks are texts in a serialized error; that of an error holds those of its causes too. */
function withMappedStacks(value: unknown, mapStack: (stack: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => withMappedStacks(item, mapStack))
  if (typeof value !== 'object' || value === null) return value
  const stack = 'stack' in value && typeof value.stack === 'string' ? { stack: mapStack(value.stack) } : {}
  const inner = 'aggregateErrors' in value ? { aggregateErrors: withMappedStacks(value.aggregateErrors, mapStack) } : {}
  return { ...value, ...stack, ...inner }
}
