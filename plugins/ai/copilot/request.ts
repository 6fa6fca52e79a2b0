import { RestError, type User } from 'pentad'
import { z } from 'zod'

/** Row ID, up to the maximum of PostgreSQL's `integer`. */
export const rowId = z.int().min(1).max(2_147_483_647)

/** The authenticated user; routes that require a capability always have one. */
export function signedIn(user: User | null): User {
  if (!user) throw new RestError('rest_forbidden', 'You must be logged in.', { status: 401 })
  return user
}
