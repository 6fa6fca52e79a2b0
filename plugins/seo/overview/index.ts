import { type ExtensionHost, isPublicSite, success, successSchema } from 'pentad'
import { z } from 'zod'
import type { MissingPages } from '../missing/missing-pages.ts'
import type { Redirects } from '../redirects/types.ts'
import type { SeoSettings } from '../settings.ts'
import type { DailyVisits } from '../visits/daily-visits.ts'
import { CHECKS } from './checks.ts'

/** Number of days covered. */
const DAYS = 7

const overviewResponse = successSchema(
  z.object({
    scorePercent: z.int(),
    actionItems: z.array(
      z.object({
        ...{
          id: z.string(),
          title: z.string(),
          description: z.string(),
          weight: z.int().describe('Points toward the score, out of 100.'),
        },
        action: z.object({ type: z.enum(['setting', 'screen']), target: z.string() }),
      }),
    ),
    ...{ redirects: z.int(), missingPages: z.int() },
    crawls: z.array(z.object({ date: z.string(), hits: z.int() })),
  }),
)

/** `GET /overview`: SEO score, recommended actions, and recent activity. */
export function registerOverview(
  host: ExtensionHost,
  parts: {
    settings: () => SeoSettings
    redirects: Pick<Redirects, 'list'>
    missing: Pick<MissingPages, 'list'>
    crawls: Pick<DailyVisits, 'daily'>
  },
): void {
  const { settings, redirects, missing, crawls } = parts
  host.rest.registerRoute('seo/v1', {
    method: 'GET',
    path: '/overview',
    access: 'manage_options',
    summary: 'Returns the SEO score, recommended actions, and recent activity.',
    response: overviewResponse,
    async handler({ user }) {
      const [rules, missed, crawled] = await Promise.all([
        redirects.list({ orderBy: 'id', order: 'desc', page: 1, perPage: 1 }),
        missing.list({ search: '', offset: 0, limit: 1 }),
        crawls.daily(DAYS),
      ])
      const { title, description, siteLogo, siteIcon } = host.content.siteSettings()
      const situation = {
        settings: settings(),
        isPublic: isPublicSite(host.options),
        site: { title, description, hasLogo: Boolean(siteLogo) || siteIcon !== 0 },
        mostMissed: missed.entries[0]?.hits ?? 0,
      }
      const { __ } = await host.textsFor(user)
      const failed = CHECKS.filter((check) => !check.isDone(situation))
      return success({
        scorePercent: failed.reduce((left, { weight }) => left - weight, 100),
        actionItems: failed.map(({ isDone: _, ...item }) => ({
          ...item,
          title: __(item.title),
          description: __(item.description),
        })),
        redirects: rules.total,
        missingPages: missed.total,
        crawls: crawled,
      })
    },
  })
}
