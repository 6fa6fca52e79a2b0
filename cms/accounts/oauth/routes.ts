import { z } from 'zod'
import type { Auth } from '../../../core/auth/types.ts'
import { RestError } from '../../../core/errors.ts'
import { RestResponse, success } from '../../../core/rest/response.ts'
import { successSchema } from '../../../core/rest/response-schemas.ts'
import type { Rest, RestRequest } from '../../../core/rest/types.ts'
import { createRateLimit } from '../../rate-limits/rate-limit.ts'
import type { RateLimitStore } from '../../rate-limits/types.ts'
import { OAuthError } from './errors.ts'
import type { OAuthServer } from './index.ts'

/** Where users are asked for their consent. */
const CONSENT = '/wp-admin/authorize-client'

const clientShape = z.object({
  client_id: z.string(),
  client_id_issued_at: z.int(),
  client_name: z.string(),
  redirect_uris: z.array(z.string()),
  token_endpoint_auth_method: z.literal('none'),
  grant_types: z.array(z.string()),
  response_types: z.array(z.string()),
})
const tokensShape = z.object({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.int(),
  refresh_token: z.string(),
})
const errorShape = z.object({
  ...{ error: z.string(), error_description: z.string() },
  ...{ code: z.string(), message: z.string(), data: z.object({ status: z.int() }) },
})
const connectionShape = z.object({
  id: z.string(),
  name: z.string(),
  created: z.string(),
  lastUsed: z.string().nullable(),
})
const requested = z.object({ client_id: z.string().max(100), redirect_uri: z.string().max(2000) })
const text = z.string().max(2000).optional()

interface Parts {
  readonly oauth: OAuthServer
  readonly rateLimitStore: RateLimitStore
  /** Read on each request: the title may change. */
  readonly siteTitle: () => string
}

/** OAuth 2.1 for MCP clients: metadata, registration, and tokens for applications; consent and connections for users. */
export function registerOAuthRoutes(rest: Rest, auth: Pick<Auth, 'users' | 'requireConfirmation'>, parts: Parts): void {
  registerMetadata(rest, parts)
  registerForApplications(rest, parts.oauth, parts.rateLimitStore)
  registerConsent(rest, auth, parts.oauth)
  registerConnections(rest, auth, parts.oauth)
}

/** RFC 9728 and RFC 8414. */
function registerMetadata(rest: Rest, { oauth: { issuer, resource }, siteTitle }: Parts): void {
  rest.registerRoute('host/v1', {
    method: 'GET',
    path: '/oauth/resource',
    summary:
      'Returns the OAuth protected resource metadata of the MCP server (RFC 9728); also available under /.well-known.',
    access: 'public',
    response: z.looseObject({ resource: z.string(), authorization_servers: z.array(z.string()) }),
    handler: () => ({
      ...{ resource, authorization_servers: [issuer], bearer_methods_supported: ['header'] },
      resource_name: siteTitle(),
    }),
  })
  rest.registerRoute('host/v1', {
    method: 'GET',
    path: '/oauth/metadata',
    summary:
      'Returns the OAuth authorization server metadata for MCP clients (RFC 8414); also available under /.well-known.',
    access: 'public',
    response: z.looseObject({ issuer: z.string() }),
    handler: () => ({
      issuer,
      authorization_endpoint: issuer + CONSENT,
      token_endpoint: `${issuer}/oauth/token`,
      registration_endpoint: `${issuer}/oauth/register`,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: ['none'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    }),
  })
  const known = '/.well-known/oauth-protected-resource'
  for (const path of [known, known + new URL(resource).pathname]) rest.alias(path, '/host/v1/oauth/resource')
  rest.alias('/.well-known/oauth-authorization-server', '/host/v1/oauth/metadata')
}

/** RFC 7591 and RFC 6749. */
function registerForApplications(rest: Rest, oauth: OAuthServer, store: RateLimitStore): void {
  const registrations = createRateLimit({
    ...{ points: 20, seconds: 60 * 60 },
    message: 'Too many registrations. Please wait an hour before you try again.',
    shared: { name: 'oauth-registration', store },
  })
  rest.registerRoute('host/v1', {
    method: 'POST',
    path: '/oauth/register',
    summary: 'Registers an OAuth client (RFC 7591); also available at /oauth/register.',
    access: 'public',
    input: z.looseObject({}),
    response: z.union([clientShape, errorShape]),
    batch: false,
    async handler({ input, clientAddress }) {
      await registrations.consume(clientAddress)
      return respond(201, async () => {
        const { id, name, redirectUris, issuedAt } = await oauth.register(input)
        return {
          client_id: id,
          client_id_issued_at: issuedAt,
          client_name: name,
          redirect_uris: redirectUris,
          token_endpoint_auth_method: 'none' as const,
          grant_types: ['authorization_code', 'refresh_token'],
          response_types: ['code'],
        }
      })
    },
  })
  rest.registerRoute('host/v1', {
    method: 'POST',
    path: '/oauth/token',
    summary:
      'Exchanges an authorization code or a refresh token for an access token (RFC 6749); also available at /oauth/token.',
    access: 'public',
    input: z.looseObject({}),
    response: z.union([tokensShape, errorShape]),
    batch: false,
    handler: ({ input }) => respond(200, () => oauth.token(input)),
  })
  rest.alias('/oauth/register', '/host/v1/oauth/register')
  rest.alias('/oauth/token', '/host/v1/oauth/token')
}

/** OAuth clients read `error` and `error_description`; the other members are those of every route's errors. */
async function respond<Body>(status: number, work: () => Promise<Body>) {
  try {
    return new RestResponse<Body | z.output<typeof errorShape>>(await work(), { status })
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    const { code, message, status: failed } = error
    const body = { error: code, error_description: message, code, message, data: { status: failed } }
    return new RestResponse<Body | z.output<typeof errorShape>>(body, { status: failed })
  }
}

function registerConsent(rest: Rest, { requireConfirmation }: Pick<Auth, 'requireConfirmation'>, oauth: OAuthServer) {
  rest.registerRoute('host/v1', {
    method: 'GET',
    path: '/oauth/consent',
    summary: 'Returns the OAuth client that is requesting access to the current user’s account.',
    access: ({ user }) => user !== null,
    input: requested,
    response: successSchema(z.object({ name: z.string().describe('Name that the client registered.') })),
    async handler({ input }) {
      return success({ name: (await oauth.clientOf(input)).name })
    },
  })
  rest.registerRoute('host/v1', {
    method: 'POST',
    path: '/oauth/consent',
    summary: 'Approves or rejects an OAuth client’s request, and returns the URL to send the browser to.',
    access: ({ user }) => user !== null,
    input: requested.extend({
      ...{ response_type: text, code_challenge: text, code_challenge_method: text, state: text, resource: text },
      approve: z.boolean(),
    }),
    response: successSchema(z.object({ redirect: z.string() })),
    batch: false,
    async handler({ input: { approve, ...request }, identity }) {
      if (approve) await requireConfirmation(identity)
      if (!identity.user) throw new RestError('rest_not_logged_in', 'You are not currently logged in.', { status: 401 })
      return success({ redirect: await oauth.respond(identity.user, request, approve) })
    },
  })
}

function registerConnections(
  rest: Rest,
  { users, requireConfirmation }: Pick<Auth, 'users' | 'requireConfirmation'>,
  oauth: OAuthServer,
): void {
  const ofUser = {
    path: '/users/{user_id:\\d+}/connections',
    access: ({ can, params }: Pick<RestRequest, 'can' | 'params'>) => can('edit_user', Number(params.user_id)),
  }
  rest.registerRoute('host/v1', {
    ...ofUser,
    method: 'GET',
    summary: 'Lists the applications that a user has authorized with OAuth.',
    response: successSchema(z.object({ items: z.array(connectionShape) })),
    handler: async ({ params }) => success({ items: await oauth.list(Number(params.user_id)) }),
  })
  rest.registerRoute('host/v1', {
    ...ofUser,
    method: 'DELETE',
    path: `${ofUser.path}/{connection:[\\w-]+}`,
    summary: 'Revokes an application’s access to a user’s account.',
    response: successSchema(z.object({ revoked: z.literal(true) })),
    async handler({ params, identity }) {
      await requireConfirmation(identity)
      const user = await users.get(Number(params.user_id))
      if (user && (await oauth.revoke(user, params.connection ?? ''))) return success({ revoked: true as const })
      throw new RestError('connection_not_found', 'The user has no connection with that ID.', { status: 404 })
    },
  })
}
