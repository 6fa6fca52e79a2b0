import { RestError, type User } from 'pentad'
import { z } from 'zod'

/** Id of a row, up to the largest of PostgreSQL's `integer`. */
export const rowId = z.int().min(1).max(2_147_483_647)

/** Who asks. Routes that need a capability always have somebody. */
export function signedIn(user: User | null): User {
  if (!user) throw new RestError('rest_forbidden', 'You must be signed in.', { status: 401 })
  return user
}
