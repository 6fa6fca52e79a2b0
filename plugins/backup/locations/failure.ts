/** User-facing errors of locations. Messages of libraries are never passed on, since they may contain secrets. */
import { RestError, retryAfterMs } from 'pentad'

export interface Failure {
  /** A sentence for the site owner. */
  readonly reason: string
  /** Whether a retry may succeed. */
  readonly temporary: boolean
  /** Delay requested by the server's `Retry-After`. */
  readonly retryAfterMs?: number | undefined
}

/** An error detected by a location itself; `withRetries` converts it to a `RestError`. */
export class LocationFailure extends Error {
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.reason)
    this.failure = failure
  }
}

/** The error that a location throws: `WebDAV: The username or password is incorrect.` */
export function locationError(title: string, failure: Failure): RestError {
  return new RestError('backup_location_failed', `${title}: ${failure.reason}`, {
    status: 502,
    temporary: failure.temporary,
  })
}

/** Messages for Node error codes of failed connections. */
const CONNECTION_REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The server refused the connection. Check the address and whether the server is running.',
  ECONNRESET: 'The connection was lost.',
  ECONNABORTED: 'The connection was lost.',
  EPIPE: 'The connection was lost.',
  ERR_STREAM_PREMATURE_CLOSE: 'The connection was lost.',
  ETIMEDOUT: 'The server did not respond.',
  EHOSTUNREACH: 'The server is unreachable.',
  ENETUNREACH: 'The server is unreachable.',
  EAI_AGAIN: 'The server name could not be resolved (temporary DNS failure).',
}

/** Certificate errors of OpenSSL (Node's documentation of `tls`, "X509 certificate error codes"). */
const CERTIFICATE_CODES =
  /^(?:CERT_|CRL_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|INVALID_CA|HOSTNAME_MISMATCH|ERR_TLS_CERT_ALTNAME_INVALID)/

/** @returns `undefined` if the error is not about the connection. */
export function connectionFailure(error: unknown): Failure | undefined {
  for (const code of errorCodes(error)) {
    const reason = CONNECTION_REASONS[code]
    if (reason) return { reason, temporary: true }
    if (code === 'ENOTFOUND') return { reason: 'The server name does not exist.', temporary: false }
    if (CERTIFICATE_CODES.test(code)) {
      return {
        reason: `The server's certificate is not valid (${code}). To use your own certificate authority, start Pentad with NODE_EXTRA_CA_CERTS.`,
        temporary: false,
      }
    }
    if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) {
      return { reason: 'The server does not use TLS at this address. Try http instead of https.', temporary: false }
    }
  }
  return isTimeOut(error) ? { reason: 'The server did not respond.', temporary: true } : undefined
}

/** The general meaning of an HTTP status (RFC 9110, RFC 4918 for 507). */
export function statusFailure(status: number, retryAfter?: string | null): Failure {
  if (status === 401) return { reason: 'The username or password is incorrect.', temporary: false }
  if (status === 403) return { reason: 'The server denied access (HTTP 403).', temporary: false }
  if (status === 404) return { reason: 'The path does not exist on the server (HTTP 404).', temporary: false }
  if (status === 413) return { reason: 'The file is too large for the server (HTTP 413).', temporary: false }
  if (status === 507) return { reason: 'There is no space left on the server (HTTP 507).', temporary: false }
  // 423: the file is still locked by an interrupted upload.
  const temporary = [408, 423, 425, 429].includes(status) || (status >= 500 && status !== 501 && status !== 505)
  const reason =
    status === 429 ? 'The server received too many requests (HTTP 429).' : `The server responded with HTTP ${status}.`
  return { reason, temporary, retryAfterMs: temporary ? retryAfterMs(retryAfter) : undefined }
}

/** The codes of an error and its causes: `fetch` and Happy Eyeballs wrap the original error. */
function* errorCodes(error: unknown): Generator<string> {
  if (!(error instanceof Error)) return
  if ('code' in error && typeof error.code === 'string') yield error.code
  if (error.cause !== undefined) yield* errorCodes(error.cause)
  if (error instanceof AggregateError) for (const inner of error.errors) yield* errorCodes(inner)
}

/** Whether the error comes from this server: file system errors, or a `TypeError`. */
export function isLocalError(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof TypeError) return true
  return 'syscall' in error && 'path' in error && !('address' in error)
}

function isTimeOut(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError'
}
