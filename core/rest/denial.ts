import { RestError } from '../errors.ts'
import { parseForm } from './form.ts'
import type { OwnedCode } from './owned-code.ts'
import type { Endpoint } from './registry.ts'
import type { RestCall } from './rest-call.ts'
import type { IncomingRequest } from './types.ts'

/** Maximum body size read from unauthorized callers, in bytes. */
const LIMIT = 64 * 1024

/**
 * Calls the route's `explainDenial` for a more specific error.
 * @throws RestError the error that replaces the denial
 */
export async function explainDenial(
  { endpoint, request, call }: { endpoint: Endpoint; request: IncomingRequest; call: RestCall },
  code: Pick<OwnedCode, 'check'>,
): Promise<void> {
  const { explainDenial: explain, body, upload } = endpoint.route
  if (!explain || body === 'stream' || upload) return
  const given = await validInput(endpoint, request, call)
  if (!given) return
  await code.check(endpoint, request, 'permission check', async () => {
    await explain({ ...request, ...given, upload: null })
    return true
  })
}

/** The validated input; `undefined` if it is invalid, which unauthorized callers must not learn. */
async function validInput(endpoint: Endpoint, request: IncomingRequest, call: RestCall) {
  try {
    const body = call.method === 'GET' ? {} : await call.readBody(LIMIT)
    return await endpoint.parameters.parse(request.params, body, parseForm(request.query))
  } catch (error) {
    if (error instanceof RestError) return undefined
    throw error
  }
}
