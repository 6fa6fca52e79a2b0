import { type Failure, statusFailure } from '../failure.ts'

/** As much of an error of Google's libraries as is looked at; the rest may hold tokens. */
interface HttpError {
  readonly status: number
  readonly retryAfter: string | null
  /** `errors[0].reason` of the Drive API, or `error` of the token endpoint (RFC 6749, section 5.2). */
  readonly reason: string
}

/** "Resolve errors" of the Drive API's guide. */
const REASONS: Readonly<Record<string, Failure>> = {
  storageQuotaExceeded: { reason: 'There is no room left in the Google Drive.', temporary: false },
  teamDriveFileLimitExceeded: { reason: 'There is no room left in the Google Drive.', temporary: false },
  dailyLimitExceeded: { reason: 'The daily limit of requests is used up.', temporary: false },
  accessNotConfigured: { reason: 'The Drive API is not switched on for this client ID.', temporary: false },
  insufficientPermissions: { reason: 'The refresh token does not allow files to be made.', temporary: false },
  insufficientFilePermissions: { reason: 'The account may not do this in the folder.', temporary: false },
  rateLimitExceeded: { reason: 'Google asks for fewer requests.', temporary: true },
  userRateLimitExceeded: { reason: 'Google asks for fewer requests.', temporary: true },
  sharingRateLimitExceeded: { reason: 'Google asks for fewer requests.', temporary: true },
  invalid_grant: {
    reason: 'Google does not accept the refresh token any more. Connect the account again.',
    temporary: false,
  },
  invalid_client: { reason: 'The client ID or the client secret is wrong.', temporary: false },
  unauthorized_client: { reason: 'The client ID or the client secret is wrong.', temporary: false },
}

export function diagnose(error: unknown): Failure | undefined {
  const answer = httpError(error)
  if (!answer) return undefined
  const general = statusFailure(answer.status, answer.retryAfter)
  const known = REASONS[answer.reason]
  if (known) return { ...known, retryAfterMs: general.retryAfterMs }
  if (answer.status === 401) return { reason: 'Google does not accept the authorisation.', temporary: false }
  if (answer.status === 404) return { reason: 'There is no such file in the Google Drive.', temporary: false }
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

/** The libraries' own `Headers` are those of node-fetch. */
function isHeaders(value: unknown): value is { get(name: string): string | null } {
  return isObject(value) && typeof value.get === 'function'
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
