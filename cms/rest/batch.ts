import { z } from 'zod'
import { RestError } from '../../core/errors.ts'
import { toResponse } from '../../core/rest/errors.ts'
import { RestResponse } from '../../core/rest/response.ts'
import { decodePath, internalCall } from '../../core/rest/rest-call.ts'
import type { RestHost } from '../../core/rest/rest-host.ts'
import type { InternalRequest, RestRequest, Route } from '../../core/rest/types.ts'
import { type Envelope, enveloped, envelopeShape } from './envelope.ts'

/** WordPress's `rest_get_max_batch_size`. */
const MAX_REQUESTS = 25
const SIGNED_IN_LIMIT = 1024 * 1024
const VISITOR_LIMIT = 64 * 1024

const input = z.object({
  validation: z.enum(['require-all-validate', 'normal']).default('normal'),
  requests: z
    .array(
      z.object({
        method: z.enum(['POST', 'PUT', 'PATCH', 'DELETE']).default('POST'),
        path: z.string().min(1),
        body: z.record(z.string(), z.unknown()).default({}),
        headers: z.record(z.string(), z.union([z.string(), z.array(z.string())])).default({}),
      }),
    )
    .max(MAX_REQUESTS),
})

type Part = z.output<typeof input>['requests'][number]

/** With `failed: 'validation'` nothing was run; `null` stands for a request that passed validation. */
const responseSchema = z.object({
  failed: z.literal('validation').optional(),
  responses: z.array(envelopeShape.nullable()),
})

/**
 * `POST /batch/v1`: runs up to 25 write requests in order, each with its own permission check and input.
 * With `require-all-validate`, nothing runs unless every request passes validation.
 * (https://make.wordpress.org/core/2020/11/20/rest-api-batch-framework-in-wordpress-5-6/)
 */
export function batchRoute({ registry, dispatcher }: Pick<RestHost, 'registry' | 'dispatcher'>): Route<typeof input> {
  return {
    method: 'POST',
    path: '/batch/v1',
    access: 'public',
    summary: 'Runs several write requests in a single HTTP request.',
    input,
    response: responseSchema,
    batch: false,
    bodyLimit: ({ user }) => (user ? SIGNED_IN_LIMIT : VISITOR_LIMIT),
    handler: async (request) => {
      const parts = request.input.requests.map((part) => ({ request: inside(part, request), error: errorOf(part) }))
      if (request.input.validation === 'require-all-validate') {
        const problems: (Envelope | null)[] = []
        for (const part of parts) {
          const error = part.error ?? (await dispatcher.check(internalCall(part.request, request.requestId)))
          problems.push(error && enveloped({ response: error, allow: '' }))
        }
        if (problems.some((problem) => problem !== null)) {
          return new RestResponse({ failed: 'validation', responses: problems }, { status: 207 })
        }
      }
      const responses: Envelope[] = []
      for (const part of parts) {
        const result = part.error
          ? { response: part.error, allow: '' }
          : await dispatcher.dispatch(internalCall(part.request, request.requestId))
        responses.push(enveloped(result))
      }
      return new RestResponse({ responses }, { status: 207 })
    },
  }

  /** A registered route must allow batches; an unknown one is rejected when it is run. */
  function errorOf({ method, path }: Part): RestResponse | null {
    const segments = decodePath(path.split('?', 1)[0] ?? '')
    if (!path.startsWith('/') || segments === null) {
      return toResponse(new RestError('parse_path_failed', 'Could not parse the path.', { status: 400 }))
    }
    const endpoint = registry.find(method, segments)?.entry.byMethod.get(method)
    if (!endpoint || endpoint.batch) return null
    const message = 'The requested route does not support batch requests.'
    return toResponse(new RestError('rest_batch_not_allowed', message, { status: 400 }))
  }
}

function inside({ method, path, body, headers }: Part, batch: RestRequest<unknown>): InternalRequest {
  return {
    method,
    route: path,
    body,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : value.join(', ')]),
    ),
    identity: batch.identity,
    clientAddress: batch.clientAddress,
    signal: batch.signal,
  }
}
