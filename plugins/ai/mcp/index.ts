import { type AccessRequest, type ExtensionHost, RestError, RestResponse, type User } from 'pentad'
import { z } from 'zod'

/** Path of the MCP server. */
const PATH = '/mcp'

/** https://www.jsonrpc.org/specification#response_object */
const messageShape = z.object({
  ...{ jsonrpc: z.literal('2.0'), id: z.union([z.string(), z.number()]).optional() },
  result: z.record(z.string(), z.unknown()).optional(),
  error: z.object({ code: z.int(), message: z.string(), data: z.unknown().optional() }).optional(),
})

/**
 * Serves the abilities of the site to MCP clients over streamable HTTP, with the permissions of the user whose access token or application
 * password they send. Stateless: each message gets a JSON response, so any process can handle it.
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/transports
 */
export function registerMcp(host: ExtensionHost): void {
  const { auth, rest, site } = host
  /** By the headers of the request, which its permission check and its handler share: a token is looked up once. */
  const callers = new WeakMap<AccessRequest['headers'], User>()
  rest.registerRoute('ai/v1', {
    method: 'POST',
    path: PATH,
    access: mayConnect,
    summary: `Handles MCP messages; also available at ${PATH}.`,
    input: z.looseObject({}),
    response: messageShape.describe('Notifications return 202 without a body.'),
    batch: false,
    async handler(request) {
      const { method, input, headers } = request
      const user = callers.get(headers) ?? null
      const { handleMessage } = await import('./handle-message.ts')
      const message = new Request(site.url + PATH, { method, headers: plain(headers) })
      const response = await handleMessage(host, { message, body: input, user })
      const type = response.headers.get('Content-Type') ?? 'application/json'
      return new RestResponse(await response.text(), { status: response.status, headers: { 'Content-Type': type } })
    },
  })
  rest.registerRoute('ai/v1', {
    method: ['GET', 'DELETE'],
    path: PATH,
    access: mayConnect,
    summary: 'Method not allowed: the server has no event stream and no sessions.',
    response: z.never(),
    batch: false,
    handler() {
      throw onlyPost()
    },
  })
  rest.alias(PATH, `/ai/v1${PATH}`)

  async function callerOf({ headers, identity }: AccessRequest): Promise<User | null> {
    if (identity.via === 'application-password') return identity.user
    return (await auth.oauth.userOf(headers.authorization)) ?? null
  }

  /** Rejects requests from pages of other sites, whatever credentials the browser sends. */
  async function mayConnect(request: AccessRequest): Promise<boolean> {
    const { origin, authorization } = request.headers
    if (origin !== undefined && origin !== site.url)
      throw new RestError('rest_forbidden', 'Requests from pages of other sites are not allowed.', { status: 403 })
    const caller = await callerOf(request)
    if (caller) {
      callers.set(request.headers, caller)
      return true
    }
    const bearer = authorization === undefined ? auth.oauth.challenge : `${auth.oauth.challenge}, error="invalid_token"`
    throw new RestError(
      'rest_forbidden',
      'Authentication required. Use OAuth, or an application password.',
      { status: 401 },
      { 'WWW-Authenticate': `${bearer}, Basic realm="MCP", charset="UTF-8"` },
    )
  }
}

/** The headers that the transport reads: content type, accepted types and protocol version. */
function plain(headers: AccessRequest['headers']): Record<string, string> {
  const names = ['accept', 'content-type', 'mcp-protocol-version']
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers[name]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )
}

/** The specification requires 405 for stream and session requests. */
function onlyPost(): RestError {
  const message = 'Method not allowed.'
  return new RestError('method_not_allowed', message, { status: 405 }, { Allow: 'POST' })
}
