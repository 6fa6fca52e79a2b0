import { type ExtensionHost, type Settings, success, successSchema } from 'pentad'
import { z } from 'zod'
import { registerCrawlers } from '../crawlers/index.ts'
import { registerMissingPages } from '../missing/index.ts'
import type { MissingPages } from '../missing/missing-pages.ts'
import type { Redirects } from '../redirects/types.ts'
import { registerReferrals } from '../referrals/index.ts'
import { createDailyVisits, type DailyVisits } from './daily-visits.ts'
import type { VisitSettings } from './settings.ts'
import { openVisitTables } from './tables.ts'

type OwnSettings = Pick<Settings, 'updateVersion' | 'version'> & { get(): VisitSettings }

/**
 * Visit statistics: 404 errors, AI crawlers and AI referrals. Counted in memory for all responses, written in batches.
 */
export async function registerVisits(
  host: ExtensionHost,
  { settings, redirects }: { settings: OwnSettings; redirects: Pick<Redirects, 'create'> },
): Promise<{ missing: MissingPages; crawls: DailyVisits }> {
  const db = await openVisitTables(host.database)
  const crawls = createDailyVisits(db, 'crawl')
  const referred = createDailyVisits(db, 'referral')
  const { missing, note } = registerMissingPages(host, { settings, db, redirects })
  const crawlers = registerCrawlers(host, { settings: settings.get, db, crawls })
  const referrals = registerReferrals(host, { settings: settings.get, referrals: referred })

  host.hooks.addAction('response_sent', (request) => {
    note(request)
    if (!crawlers.note(request)) referrals.note(request)
  })

  host.rest.registerRoute('seo/v1', {
    method: 'POST',
    path: '/geo/clear',
    access: 'manage_options',
    summary: 'Deletes all AI crawler and referral statistics.',
    response: successSchema(z.object({ crawlers: z.int(), referrals: z.int() })),
    async handler() {
      await Promise.all([crawlers.writing.flush(), referrals.writing.flush()])
      return success({ crawlers: await crawls.clear(), referrals: await referred.clear() })
    },
  })

  host.jobs.schedule('forget-visits', '12 0 * * *', async () => {
    await crawls.prune()
    await referred.prune()
  })
  return { missing, crawls }
}
