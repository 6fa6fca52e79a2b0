import { RestError } from 'pentad'
import { subjectOf } from './choice.ts'
import { contentRejected, providerError, unusableResponse } from './errors.ts'
import { wantedPause } from './retrying-fetch.ts'
import type { Sdk } from './sdk.ts'
import type { ModelChoice } from './types.ts'

/** Default `Retry-After` in seconds, if the provider sends none. */
const USUAL_WAIT = 30

/** Markers in error responses of providers, used to classify errors; never returned to clients. */
const CONTENT_POLICY = /content_policy|content_filter|moderation|safety/i
const WRONG_KEY = /API_KEY_INVALID|api key not valid/i
const NO_CREDIT = /insufficient_quota|credit balance|billing_hard_limit/i

/**
 * Converts an error of a provider to an API error. Its own message is not returned, because it may contain the API key.
 */
export function providerFailure(sdk: Sdk, error: unknown, choice: ModelChoice): RestError {
  const name = subjectOf(choice.provider)
  if (isTimeout(error)) return providerError(`${name} did not respond in time. Try again.`)
  const status = statusOf(sdk, error)
  const said = sdk.APICallError.isInstance(error) ? (error.responseBody ?? '') : ''
  if (status === 401 || status === 403 || (status === 400 && WRONG_KEY.test(said))) {
    return new RestError('ai_provider_auth', `${name} rejected the API key. Check the key in the AI settings.`, {
      status: 502,
    })
  }
  if (status === 402 || ((status === 400 || status === 429) && NO_CREDIT.test(said))) {
    return providerError(`The ${name} account has no credit left. Check your billing settings with the provider.`)
  }
  if (status === 429) return tooManyRequests(sdk, name, error)
  if (status === 404) return providerError(`${name} does not offer the model ${choice.model}. Choose another model.`)
  if (status === 400 && CONTENT_POLICY.test(said)) return contentRejected(choice)
  if (isUnusable(sdk, error, status)) return unusableResponse(choice)
  if (status === undefined || status >= 500)
    return providerError(`${name} is unreachable or returned a server error. Try again later.`)
  return providerError(`${name} rejected the request.`)
}

/** Loggable details of an error, without text from the provider. */
export function describeFailure(sdk: Sdk, error: unknown): Readonly<Record<string, unknown>> {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : undefined
  return {
    kind: error instanceof Error ? error.name : typeof error,
    status: statusOf(sdk, error),
    // `ECONNREFUSED`, `ENOTFOUND`
    code: cause && 'code' in cause ? cause.code : undefined,
  }
}

function tooManyRequests({ APICallError }: Sdk, name: string, error: unknown): RestError {
  const headers = APICallError.isInstance(error) ? new Headers(error.responseHeaders) : new Headers()
  const pause = wantedPause(headers)
  const seconds = pause === undefined ? USUAL_WAIT : Math.max(1, Math.ceil(pause / 1000))
  const message = `The rate limit of ${name} has been exceeded. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`
  return new RestError('rest_too_many_requests', message, { status: 429 }, { 'Retry-After': String(seconds) })
}

function statusOf({ APICallError, StreamProviderError }: Sdk, error: unknown): number | undefined {
  return APICallError.isInstance(error) || StreamProviderError.isInstance(error) ? error.statusCode : undefined
}

/** The response is not JSON, is incomplete, or does not match the schema. */
function isUnusable({ AISDKError, APICallError }: Sdk, error: unknown, status: number | undefined): boolean {
  if (APICallError.isInstance(error)) return status === 200
  return status === undefined && AISDKError.isInstance(error)
}

/** The timeout of the call or of a step, possibly wrapped. */
function isTimeout(error: unknown): boolean {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (current.name === 'TimeoutError') return true
  }
  return false
}
