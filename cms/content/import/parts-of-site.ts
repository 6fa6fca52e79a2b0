import type { Auth } from '../../../core/auth/types.ts'
import type { ImportParts } from './types.ts'

type SiteParts = Pick<ImportParts, 'content' | 'users' | 'options' | 'database' | 'hooks' | 'config' | 'log'>

/** What an import needs of a site. */
export function partsOfSite(site: Omit<SiteParts, 'users'> & { readonly auth: Pick<Auth, 'users'> }): SiteParts {
  const { content, auth, options, database, hooks, config, log } = site
  return { content, users: auth.users, options, database, hooks, config, log }
}
