import { z } from 'zod'
import type { User, Users } from '../../../core/auth/types.ts'
import type { Database } from '../../../core/database/index.ts'
import type { SecurityLog } from '../types.ts'
import { checkRedirect, createClients, type OAuthClient, type RegisteredClient } from './clients.ts'
import { OAuthError } from './errors.ts'
import { createGrants } from './grants.ts'
import type { Connection, OAuth, Tokens } from './types.ts'

/** Path of the MCP server, the only resource that tokens are valid for. */
const RESOURCE = '/mcp'

const tokenRequest = z.discriminatedUnion('grant_type', [
  z.object({
    grant_type: z.literal('authorization_code'),
    client_id: z.string(),
    code: z.string(),
    code_verifier: z.string().regex(/^[\w.~-]{43,128}$/),
    redirect_uri: z.string().optional(),
    resource: z.string().optional(),
  }),
  z.object({
    grant_type: z.literal('refresh_token'),
    client_id: z.string(),
    refresh_token: z.string(),
    resource: z.string().optional(),
  }),
])

/** What an application sends with its user (RFC 6749, 4.1.1; RFC 7636, 4.3). */
export interface AuthorizationRequest {
  readonly client_id: string
  readonly redirect_uri: string
  readonly response_type?: string | undefined
  readonly code_challenge?: string | undefined
  readonly code_challenge_method?: string | undefined
  readonly state?: string | undefined
  readonly resource?: string | undefined
}

export interface OAuthServer extends OAuth {
  readonly issuer: string
  readonly resource: string
  /** @throws OAuthError `invalid_redirect_uri`, `invalid_client_metadata` */
  register(metadata: unknown): Promise<RegisteredClient>
  /** The application that requests access. @throws OAuthError `invalid_client`, `invalid_redirect_uri` */
  clientOf(request: Pick<AuthorizationRequest, 'client_id' | 'redirect_uri'>): Promise<Pick<OAuthClient, 'id' | 'name'>>
  /** The URL that returns the user to the application, with a code or an error. @throws as `clientOf` */
  respond(user: User, request: AuthorizationRequest, isApproved: boolean): Promise<string>
  /** @throws OAuthError `invalid_request`, `invalid_client`, `invalid_grant`, `invalid_target`, `unsupported_grant_type` */
  token(request: Readonly<Record<string, unknown>>): Promise<Tokens>
  list(userId: number): Promise<Connection[]>
  revoke(user: User, id: string): Promise<boolean>
  /** After the user's password changed. */
  revokeAll(userId: number): Promise<unknown>
  prune(): Promise<void>
}

interface Parts {
  readonly database: Pick<Database, 'db'>
  readonly users: Pick<Users, 'get'>
  readonly securityLog: Pick<SecurityLog, 'record'>
  readonly siteUrl: string
  readonly now: () => number
}

/**
 * An authorization server for MCP clients (OAuth 2.1; the authorization part of the MCP specification): codes with PKCE for public
 * clients that register themselves, and refresh tokens that are valid once.
 */
export function createOAuth({ database, users, securityLog, siteUrl, now }: Parts): OAuthServer {
  const issuer = new URL(siteUrl).origin
  const resource = issuer + RESOURCE
  const clients = createClients(database, now)
  const grants = createGrants({
    ...{ database, now },
    onReuse: async (userId) => securityLog.record('oauth_token_reused', { user: (await users.get(userId)) ?? null }),
  })

  function checkTarget(given: string | undefined): void {
    if (given === undefined || given === resource) return
    throw new OAuthError('invalid_target', `Tokens from this site are valid only for ${resource}.`)
  }

  function checkedChallenge(request: AuthorizationRequest): string {
    if (request.response_type !== 'code') {
      throw new OAuthError('unsupported_response_type', 'The response type must be "code".')
    }
    const { code_challenge: challenge = '', code_challenge_method: method } = request
    if (method !== 'S256' || !/^[\w-]{43}$/.test(challenge)) {
      throw new OAuthError('invalid_request', 'A code challenge with the method S256 is required.')
    }
    checkTarget(request.resource)
    return challenge
  }

  async function clientOf(request: Pick<AuthorizationRequest, 'client_id' | 'redirect_uri'>) {
    const client = await clients.find(request.client_id)
    checkRedirect(client, request.redirect_uri)
    return client
  }

  return {
    issuer,
    resource,
    challenge: `Bearer resource_metadata="${issuer}/.well-known/oauth-protected-resource${RESOURCE}"`,
    register: clients.register,
    clientOf,
    async respond(user, request, isApproved) {
      const { id, name } = await clientOf(request)
      const url = new URL(request.redirect_uri)
      try {
        const sent = { redirectUri: request.redirect_uri, challenge: checkedChallenge(request) }
        if (!isApproved) throw new OAuthError('access_denied', 'The user rejected the connection.')
        url.searchParams.set('code', await grants.authorize(user, id, sent))
        await securityLog.record('oauth_client_authorized', { user, detail: { name } })
      } catch (error) {
        if (!(error instanceof OAuthError)) throw error
        url.searchParams.set('error', error.code)
        url.searchParams.set('error_description', error.message)
      }
      if (request.state !== undefined) url.searchParams.set('state', request.state)
      // RFC 9207: the application sees which server responds.
      url.searchParams.set('iss', issuer)
      return url.href
    },
    async token(request) {
      const { data, error } = tokenRequest.safeParse(request)
      if (!data) throw invalidTokenRequest(error, request.grant_type)
      await clients.find(data.client_id)
      checkTarget(data.resource)
      if (data.grant_type === 'refresh_token') return grants.refresh(data.client_id, data.refresh_token)
      const { client_id: clientId, code, code_verifier: verifier, redirect_uri: redirectUri } = data
      return grants.exchange(clientId, { code, verifier, redirectUri })
    },
    async userOf(authorization) {
      const token = /^bearer ([\w-]{43})$/i.exec(authorization ?? '')?.[1]
      return token === undefined ? undefined : grants.userOf(token)
    },
    list: grants.list,
    async revoke(user, id) {
      const found = (await grants.list(user.id)).find((one) => one.id === id)
      const isRevoked = (await grants.revoke(user.id, id)) > 0
      if (isRevoked) await securityLog.record('oauth_client_revoked', { user, detail: { name: found?.name ?? '' } })
      return isRevoked
    },
    revokeAll: (userId) => grants.revoke(userId),
    async prune() {
      await grants.prune()
      await clients.prune()
    },
  }
}

function invalidTokenRequest({ issues }: z.ZodError, grantType: unknown): OAuthError {
  if (grantType !== undefined && grantType !== 'authorization_code' && grantType !== 'refresh_token') {
    return new OAuthError('unsupported_grant_type', 'The grant type must be "authorization_code" or "refresh_token".')
  }
  return new OAuthError(
    'invalid_request',
    `Missing or invalid: ${issues.map(({ path }) => path.join('.')).join(', ')}.`,
  )
}
