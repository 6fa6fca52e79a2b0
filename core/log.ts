import { type DestinationStream, type Logger, pino } from 'pino'

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

/**
 * The process's log: one JSON line a record on standard output, secrets redacted.
 * `level` is pino's: `silent`, `error`, `warn`, `info`, `debug`.
 */
export function createLog(level: string, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      redact: { paths: SECRET_KEYS.flatMap((key) => [key, `*.${key}`, `*.headers.${key}`]), censor: '[redacted]' },
    },
    destination ?? pino.destination({ dest: 1, sync: false }),
  )
}
