import { type ExtensionHost, success, successSchema } from 'pentad'
import { z } from 'zod'
import type { DailyVisits, PageSum } from '../visits/daily-visits.ts'
import { RETENTION_DAYS } from '../visits/days.ts'
import type { WriteBehind } from '../write-behind.ts'

/** Maximum number of listed pages. */
const LISTED_PAGES = 50

const sources = z.array(z.object({ name: z.string().describe('Name of the AI assistant.'), visits: z.int() }))
const referralsResponse = successSchema(
  z.object({
    ...{ days: z.int(), total: z.int(), sources },
    pages: z.array(z.object({ url: z.string(), visits: z.int(), sources })),
    daily: z.array(z.object({ date: z.string(), visits: z.int() })),
  }),
)

/** `GET /geo/referrals`: visits from AI assistants, for each page. */
export function registerReferralRoute(
  { rest, site }: Pick<ExtensionHost, 'rest' | 'site'>,
  { referrals, writing }: { referrals: DailyVisits; writing: WriteBehind },
): void {
  rest.registerRoute('seo/v1', {
    method: 'GET',
    path: '/geo/referrals',
    access: 'manage_options',
    pro: true,
    summary: 'Lists visits referred by AI assistants.',
    input: z.object({
      days: z.int().min(1).default(RETENTION_DAYS).describe('Number of days up to today, at most 90.'),
    }),
    response: referralsResponse,
    async handler({ input }) {
      await writing.flush()
      const days = Math.min(input.days, RETENTION_DAYS)
      const [sums, visited, perDay] = await Promise.all([
        referrals.sums(days),
        referrals.mostVisited(days, LISTED_PAGES),
        referrals.daily(days),
      ])
      const sources = sums.map(({ name, hits }) => ({ name, visits: hits }))
      const total = sources.reduce((sum, { visits }) => sum + visits, 0)
      const daily = perDay.map(({ date, hits }) => ({ date, visits: hits }))
      return success({ days, total, sources, pages: pagesOf(visited, site.url), daily })
    },
  })
}

function pagesOf(visited: readonly Omit<PageSum, 'identity'>[], siteUrl: string) {
  return [...Map.groupBy(visited, ({ path }) => path)]
    .map(([path, rows]) => ({
      url: siteUrl + path,
      visits: rows.reduce((sum, { hits }) => sum + hits, 0),
      sources: rows.map(({ name, hits }) => ({ name, visits: hits })),
    }))
    .sort((one, other) => other.visits - one.visits)
}
