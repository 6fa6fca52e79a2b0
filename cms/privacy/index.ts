import type { JoiningHost } from '../../core/types.ts'
import type { Content } from '../content/types.ts'
import type { Jobs } from '../jobs/types.ts'
import type { ReadLook } from '../login/pages.ts'
import type { MailLog } from '../mail/mail-log.ts'
import type { Mail } from '../mail/types.ts'
import type { TextsFor } from '../text/translations.ts'
import { filterShapes } from './hooks.ts'
import { registerOwnData } from './own-data.ts'
import { registerPrivacyPages } from './pages.ts'
import { createPolicy, type Policy, policyText, privacySettings } from './policy.ts'
import { createPrivacyRequests } from './requests.ts'
import { registerPrivacyRoutes } from './routes.ts'
import { privacyTables } from './tables.ts'

export type { Policy } from './policy.ts'

/**
 * Privacy: requests for personal data and its erasure, and the privacy policy.
 * @returns the privacy policy
 */
export async function joinPrivacy(
  host: JoiningHost,
  parts: { content: Content; mail: Mail; mailLog: MailLog; jobs: Jobs; look: ReadLook; textsFor: TextsFor },
): Promise<Policy> {
  const { auth, database, hooks, rest, config } = host
  const { content, mail, mailLog, jobs, look, textsFor } = parts
  hooks.declareFilters(filterShapes)
  await database.migrate(privacyTables.owner, privacyTables.migrations(database.kind))
  const settings = host.settings.register('privacy', privacySettings).settings.get
  registerOwnData({ content, users: auth.users, database, mailLog, hooks, textsFor })
  const requests = createPrivacyRequests({
    database,
    users: auth.users,
    hooks,
    mail,
    textsFor,
    siteUrl: config.url,
    paused: () => host.extensions.list().flatMap(({ id, state }) => (state === 'paused' ? [id] : [])),
    site: host.siteInfo,
  })
  registerPrivacyRoutes(rest, { requests, policyText: () => policyText(hooks, textsFor) })
  registerPrivacyPages(host.addresses, { requests, users: auth.users, config, look, log: host.log })
  jobs.schedule('prune-privacy-requests', '7 5 * * *', requests.prune)
  return createPolicy(content, () => settings().policyPage)
}
