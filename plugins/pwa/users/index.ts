import type { ExtensionHost } from 'pentad'
import { registerNonceRoute } from './nonce.ts'
import { createPwaUsers } from './pwa-users.ts'
import { registerUserRoutes } from './routes.ts'
import { openUserTables } from './tables.ts'
import type { Visitors } from './visitor.ts'

/** App usage analytics, and the nonce for scripts on cached pages. */
export async function registerUsers(host: ExtensionHost, { visitors }: { visitors: Visitors }): Promise<void> {
  const users = createPwaUsers(await openUserTables(host.database))
  registerNonceRoute(host)
  registerUserRoutes(host, { users, visitors })
  host.jobs.schedule('forget-app-users', '37 4 * * *', () => users.prune())
  host.hooks.addAction('deleted_user', (userId) => users.unbind(userId))
}
