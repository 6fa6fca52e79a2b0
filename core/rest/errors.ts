import type { User } from '../auth/types.ts'
import { RestError } from '../errors.ts'
import { RestResponse } from './response.ts'

export function noRoute(): RestError {
  return new RestError('rest_no_route', 'No route was found matching the URL and request method.', { status: 404 })
}

/** 401 for visitors, 403 for logged-in users. */
export function forbidden(user: User | null): RestError {
  return new RestError('rest_forbidden', 'Sorry, you are not allowed to do that.', { status: user ? 403 : 401 })
}

/** Code of an extension took too long. The log names the extension under the request ID. */
export function timedOut(requestId: string): RestError {
  return new RestError('rest_timeout', 'The request timed out. Please try again later.', { status: 504, requestId })
}

/** The extension that owns the route was deactivated or replaced during the request. */
export function unloaded(): RestError {
  const message = 'The route is no longer registered. Please try again.'
  return new RestError('rest_unavailable', message, { status: 503 }, { 'Retry-After': '1' })
}

/** WordPress's error response. */
export function toResponse({ code, message, data, headers, additional }: RestError): RestResponse {
  const status = Number.isInteger(data.status) && data.status >= 400 && data.status <= 599 ? data.status : 500
  const body = { code, message, data, ...(additional.length > 0 && { additional_errors: additional }) }
  return new RestResponse(body, { status, headers })
}
