import type { User } from '../../../core/auth/types.ts'

/** An application that a user has given access. */
export interface Connection {
  readonly id: string
  /** Name that the application registered. */
  readonly name: string
  /** ISO 8601, UTC. */
  readonly created: string
  readonly lastUsed: string | null
}

/** A token response (RFC 6749, 5.1). */
export interface Tokens {
  readonly access_token: string
  readonly token_type: 'Bearer'
  /** Seconds. */
  readonly expires_in: number
  readonly refresh_token: string
}

/** OAuth 2.1 access for MCP clients. Their tokens are valid only for the MCP server, not for the REST API. */
export interface OAuth {
  /** The user whose access token is in the `Authorization` header; `undefined` if there is no valid token. */
  userOf(authorization: string | undefined): Promise<User | undefined>
  /** The `WWW-Authenticate` header that tells a client where to get a token (RFC 9728, 5.1). */
  readonly challenge: string
}
