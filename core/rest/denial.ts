import { RestError } from '../errors.ts'
import { parseForm } from './form.ts'
import type { OwnedCode } from './owned-code.ts'
import type { Endpoint } from './registry.ts'
import type { RestCall } from './rest-call.ts'
import type { IncomingRequest } from './types.ts'

/** Bytes of body that are read of those who are not let in. */
const LIMIT = 64 * 1024

/**
 * Asks a route to say better why a caller is not let in: `explainDenial`.
 * @throws RestError what the route answers in place of the denial
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

/** `undefined` for input that is wrong: those who are not let in learn nothing about it. */
async function validInput(endpoint: Endpoint, request: IncomingRequest, call: RestCall) {
  try {
    const body = call.method === 'GET' ? {} : await call.readBody(LIMIT)
    return await endpoint.parameters.parse(request.params, body, parseForm(request.query))
  } catch (error) {
    if (error instanceof RestError) return undefined
    throw error
  }
}
