import type { User } from '../../../core/auth/types.ts'

/** An application that a user has given access. */
export interface Connection {
  readonly id: string
  /** As the application calls itself. */
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

/** Access of MCP clients with OAuth 2.1. Their tokens are valid for the MCP server only, not for the REST API. */
export interface OAuth {
  /** The user whose access token the `Authorization` header has; `undefined` without a valid one. */
  userOf(authorization: string | undefined): Promise<User | undefined>
  /** The `WWW-Authenticate` header that tells a client where it gets a token (RFC 9728, 5.1). */
  readonly challenge: string
}
