import { type ExtensionHost, fromGmt, type ResponseOf, success, successSchema } from 'pentad'
import { z } from 'zod'
import type { DailyVisits, PageSum, VisitSum } from '../visits/daily-visits.ts'
import { RETENTION_DAYS } from '../visits/days.ts'
import type { WriteBehind } from '../write-behind.ts'
import { crawlerNamed, PURPOSES } from './known-crawlers.ts'

/** Number of days without a license. */
const FREE_DAYS = 7

/** One crawler in the response; with a license separate entries for verified and other requests. */
const entryShape = z.object({
  ...{ name: z.string(), vendor: z.string(), purpose: z.enum(PURPOSES), hits: z.int() },
  pages: z.array(z.object({ url: z.string(), hits: z.int() })),
  lastSeenAt: z.string(),
  verified: z.boolean().optional().describe('Whether the crawler was verified. Requires a license.'),
  spoofed: z
    .int()
    .optional()
    .describe('Hits from IP addresses that do not belong to the operator of the crawler. Requires a license.'),
})
type Entry = ResponseOf<typeof entryShape>

const crawlersResponse = successSchema(
  z.object({
    ...{ days: z.int(), total: z.int(), crawlers: z.array(entryShape) },
    daily: z.array(z.object({ date: z.string(), hits: z.int() })),
  }),
)

/** `GET /geo/crawlers`: pages fetched by AI crawlers. */
export function registerCrawlerRoute(
  { rest, license, site }: Pick<ExtensionHost, 'rest' | 'license' | 'site'>,
  { crawls, writing }: { crawls: DailyVisits; writing: WriteBehind },
): void {
  rest.registerRoute('seo/v1', {
    method: 'GET',
    path: '/geo/crawlers',
    access: 'manage_options',
    summary:
      'Lists the pages that AI crawlers fetched in the last 7 days. With a license, covers 90 days and shows which requests were verified.',
    input: z.object({
      days: z
        .int()
        .min(1)
        .optional()
        .describe('Number of days up to today. Defaults to the maximum, which also caps larger values.'),
    }),
    response: crawlersResponse,
    async handler({ input }) {
      await writing.flush()
      const isPro = license.active
      const most = isPro ? RETENTION_DAYS : FREE_DAYS
      const days = Math.min(input.days ?? most, most)
      const [sums, pages, daily] = await Promise.all([crawls.sums(days), crawls.topPages(days), crawls.daily(days)])
      const crawlers = entriesOf(sums, pages, { isPro, siteUrl: site.url })
      return success({ days, total: crawlers.reduce((sum, { hits }) => sum + hits, 0), crawlers, daily })
    },
  })
}

/** Groups rows into one entry per crawler, or two with a license: verified and not verified. */
function entriesOf(
  sums: readonly VisitSum[],
  pages: readonly PageSum[],
  { isPro, siteUrl }: { isPro: boolean; siteUrl: string },
): Entry[] {
  const groupOf = ({ name, identity }: Pick<VisitSum, 'name' | 'identity'>) =>
    isPro ? `${name} ${identity === 'verified'}` : name
  const visited = Map.groupBy(pages, groupOf)
  return [...Map.groupBy(sums, groupOf)]
    .map(([group, rows]) => toEntry(rows, visited.get(group) ?? [], { isPro, siteUrl }))
    .sort((one, other) => other.hits - one.hits)
}

function toEntry(
  rows: readonly VisitSum[],
  pages: readonly PageSum[],
  { isPro, siteUrl }: { isPro: boolean; siteUrl: string },
): Entry {
  const [{ name, identity } = { name: '', identity: '' }] = rows
  const { vendor = '', purpose = 'user' } = crawlerNamed(name) ?? {}
  const hitsOf = (kept: readonly VisitSum[]) => kept.reduce((sum, { hits }) => sum + hits, 0)
  const byPath = new Map<string, number>()
  for (const { path, hits } of pages) byPath.set(path, (byPath.get(path) ?? 0) + hits)
  return {
    ...{ name, vendor, purpose, hits: hitsOf(rows) },
    pages: [...byPath]
      .map(([path, hits]) => ({ url: siteUrl + path, hits }))
      .sort((one, other) => other.hits - one.hits),
    lastSeenAt: fromGmt(
      rows
        .map((row) => row.lastGmt)
        .sort()
        .at(-1) ?? '',
    ),
    ...(isPro && {
      verified: identity === 'verified',
      spoofed: hitsOf(rows.filter((row) => row.identity === 'spoofed')),
    }),
  }
}
