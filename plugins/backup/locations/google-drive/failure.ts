import { type Failure, statusFailure } from '../failure.ts'

/** The parts of a Google library error that are used; the rest may contain tokens. */
interface HttpError {
  readonly status: number
  readonly retryAfter: string | null
  /** `errors[0].reason` of the Drive API, or `error` of the token endpoint (RFC 6749, section 5.2). */
  readonly reason: string
}

/** "Resolve errors" of the Drive API's guide. */
const REASONS: Readonly<Record<string, Failure>> = {
  storageQuotaExceeded: { reason: 'Google Drive is full.', temporary: false },
  teamDriveFileLimitExceeded: { reason: 'Google Drive is full.', temporary: false },
  dailyLimitExceeded: { reason: 'The daily request limit has been reached.', temporary: false },
  accessNotConfigured: { reason: 'The Drive API is not enabled for this client ID.', temporary: false },
  insufficientPermissions: { reason: 'The refresh token does not permit creating files.', temporary: false },
  insufficientFilePermissions: { reason: 'The account lacks permission for the folder.', temporary: false },
  rateLimitExceeded: { reason: 'Google received too many requests.', temporary: true },
  userRateLimitExceeded: { reason: 'Google received too many requests.', temporary: true },
  sharingRateLimitExceeded: { reason: 'Google received too many requests.', temporary: true },
  invalid_grant: {
    reason: 'The refresh token is no longer valid. Reconnect the account.',
    temporary: false,
  },
  invalid_client: { reason: 'The client ID or client secret is incorrect.', temporary: false },
  unauthorized_client: { reason: 'The client ID or client secret is incorrect.', temporary: false },
}

export function diagnose(error: unknown): Failure | undefined {
  const response = httpError(error)
  if (!response) return undefined
  const general = statusFailure(response.status, response.retryAfter)
  const known = REASONS[response.reason]
  if (known) return { ...known, retryAfterMs: general.retryAfterMs }
  if (response.status === 401) return { reason: 'Google rejected the authorization.', temporary: false }
  if (response.status === 404) return { reason: 'The file does not exist in Google Drive.', temporary: false }
  return general
}

export function statusOf(error: unknown): number | undefined {
  return httpError(error)?.status
}

function httpError(error: unknown): HttpError | undefined {
  if (!isObject(error) || !isObject(error.response)) return undefined
  const { status, headers, data } = error.response
  if (typeof status !== 'number') return undefined
  return {
    status,
    retryAfter: isHeaders(headers) ? headers.get('retry-after') : null,
    reason: reasonOf(data),
  }
}

function reasonOf(data: unknown): string {
  if (!isObject(data)) return ''
  if (typeof data.error === 'string') return data.error
  if (!isObject(data.error) || !Array.isArray(data.error.errors)) return ''
  const [first] = data.error.errors
  return isObject(first) && typeof first.reason === 'string' ? first.reason : ''
}

/** Google's libraries use the `Headers` of node-fetch. */
function isHeaders(value: unknown): value is { get(name: string): string | null } {
  return isObject(value) && typeof value.get === 'function'
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
