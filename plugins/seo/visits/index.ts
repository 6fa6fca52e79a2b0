import { type ExtensionHost, success } from 'pentad'
import { registerCrawlers } from '../crawlers/index.ts'
import { registerMissingPages } from '../missing/index.ts'
import type { Redirects } from '../redirects/types.ts'
import { registerReferrals } from '../referrals/index.ts'
import { createDailyVisits } from './daily-visits.ts'
import type { VisitSettings } from './settings.ts'
import { openVisitTables } from './tables.ts'

/**
 * What the site is asked for, as far as it says something about how it is found: missing pages, AI crawlers, visitors
 * whom assistants sent. Counted in memory as requests are answered, by whomever, and written later.
 */
export async function registerVisits(
  host: ExtensionHost,
  { settings, redirects }: { settings: () => VisitSettings; redirects: Pick<Redirects, 'create'> },
): Promise<void> {
  const db = await openVisitTables(host.database)
  const crawls = createDailyVisits(db, 'crawl')
  const referred = createDailyVisits(db, 'referral')
  const noteMissing = registerMissingPages(host, { settings, db, redirects })
  const crawlers = registerCrawlers(host, { settings, db, crawls })
  const referrals = registerReferrals(host, { settings, referrals: referred })

  host.hooks.addAction('request_answered', (request) => {
    noteMissing(request)
    if (!crawlers.note(request)) referrals.note(request)
  })

  host.rest.registerRoute('seo/v1', {
    method: 'POST',
    path: '/geo/clear',
    access: 'manage_options',
    summary: 'Forgets what is known of AI crawlers and referrals.',
    async handler() {
      await Promise.all([crawlers.writing.flush(), referrals.writing.flush()])
      return success({ crawlers: await crawls.clear(), referrals: await referred.clear() })
    },
  })

  host.jobs.schedule('forget-visits', '12 0 * * *', async () => {
    await crawls.prune()
    await referred.prune()
  })
}
