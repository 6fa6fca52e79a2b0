import { z } from 'zod'
import { isRaw, jsonBody, RestResponse } from '../../core/rest/response.ts'
import type { ResponseOf } from '../../core/rest/response-schemas.ts'
import type { DispatchResult } from '../../core/rest/rest-call.ts'

export const envelopeShape = z.object({
  body: z.unknown(),
  status: z.int(),
  headers: z.record(z.string(), z.unknown()),
})

export type Envelope = ResponseOf<typeof envelopeShape>

/** Status and headers of a response inside its body. */
export function enveloped({ response, allow }: Pick<DispatchResult, 'response' | 'allow'>): Envelope {
  const headers: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(response.headers)) {
    headers[name] = /^X-WP-Total/i.test(name) ? Number(value) : value
  }
  if (allow !== '') headers.Allow = allow
  return { body: jsonBody(response), status: response.status, headers }
}

/** WordPress's `_envelope`, for clients that cannot read the status or headers; `null` if it was not requested. */
export function wrapInEnvelope(result: DispatchResult): RestResponse | null {
  if (result.query._envelope === undefined || isRaw(result.response)) return null
  return new RestResponse(enveloped(result))
}
