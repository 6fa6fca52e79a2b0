/** What goes wrong at a location, in words for people. Nothing of a library's own text is passed on: it may hold a secret. */
import { RestError, retryAfterMs } from 'pentad'

export interface Failure {
  /** A sentence for the site's owner. */
  readonly reason: string
  /** Whether the same request may succeed a little later. */
  readonly temporary: boolean
  /** As the server asked for in `Retry-After`. */
  readonly retryAfterMs?: number | undefined
}

/** Thrown within a location for what it found out itself; `withRetries` makes the `RestError` of it. */
export class LocationFailure extends Error {
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.reason)
    this.failure = failure
  }
}

/** The error that leaves a location: `WebDAV: The user name or the password is wrong.` */
export function locationError(title: string, failure: Failure): RestError {
  return new RestError('backup_location_failed', `${title}: ${failure.reason}`, {
    status: 502,
    temporary: failure.temporary,
  })
}

/** Node's codes of a connection that could not be made or broke. */
const CONNECTION_REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The server refuses the connection. Is the address right, and does the server run?',
  ECONNRESET: 'The connection broke.',
  ECONNABORTED: 'The connection broke.',
  EPIPE: 'The connection broke.',
  ERR_STREAM_PREMATURE_CLOSE: 'The connection broke.',
  ETIMEDOUT: 'The server does not answer.',
  EHOSTUNREACH: 'The server cannot be reached.',
  ENETUNREACH: 'The server cannot be reached.',
  EAI_AGAIN: 'The name of the server cannot be looked up at present.',
}

/** OpenSSL's verdicts on a certificate (Node's documentation of `tls`, "X509 certificate error codes"). */
const CERTIFICATE_CODES =
  /^(?:CERT_|CRL_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|INVALID_CA|HOSTNAME_MISMATCH|ERR_TLS_CERT_ALTNAME_INVALID)/

/** @returns `undefined` where the error has nothing to do with the connection. */
export function connectionFailure(error: unknown): Failure | undefined {
  for (const code of errorCodes(error)) {
    const reason = CONNECTION_REASONS[code]
    if (reason) return { reason, temporary: true }
    if (code === 'ENOTFOUND') return { reason: 'No server has that name.', temporary: false }
    if (CERTIFICATE_CODES.test(code)) {
      return {
        reason: `The certificate of the server is not valid (${code}). For an authority of your own, start Pentad with NODE_EXTRA_CA_CERTS.`,
        temporary: false,
      }
    }
    if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) {
      return { reason: 'The server does not speak TLS at that address. Is it http instead of https?', temporary: false }
    }
  }
  return isTimeOut(error) ? { reason: 'The server does not answer.', temporary: true } : undefined
}

/** What an HTTP status means where the location knows nothing better (RFC 9110, RFC 4918 for 507). */
export function statusFailure(status: number, retryAfter?: string | null): Failure {
  if (status === 401) return { reason: 'The user name or the password is wrong.', temporary: false }
  if (status === 403) return { reason: 'The server forbids it (HTTP 403).', temporary: false }
  if (status === 404) return { reason: 'There is no such place on the server (HTTP 404).', temporary: false }
  if (status === 413) return { reason: 'The server does not take files of this size (HTTP 413).', temporary: false }
  if (status === 507) return { reason: 'There is no room left on the server (HTTP 507).', temporary: false }
  // 423: an upload that broke still holds the file.
  const temporary = [408, 423, 425, 429].includes(status) || (status >= 500 && status !== 501 && status !== 505)
  const reason =
    status === 429 ? 'The server asks for fewer requests (HTTP 429).' : `The server answers with HTTP ${status}.`
  return { reason, temporary, retryAfterMs: temporary ? retryAfterMs(retryAfter) : undefined }
}

/** The codes of an error and of what caused it: `fetch` and happy eyeballs wrap what happened. */
function* errorCodes(error: unknown): Generator<string> {
  if (!(error instanceof Error)) return
  if ('code' in error && typeof error.code === 'string') yield error.code
  if (error.cause !== undefined) yield* errorCodes(error.cause)
  if (error instanceof AggregateError) for (const inner of error.errors) yield* errorCodes(inner)
}

/** Node's errors of files and of wrong calls, which name the call or are a `TypeError`: nothing that a server did. */
export function isLocalError(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof TypeError) return true
  return 'syscall' in error && 'path' in error && !('address' in error)
}

function isTimeOut(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError'
}
