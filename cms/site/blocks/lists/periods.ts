import type { Content, PeriodQuery } from '../../../content/types.ts'
import { reader } from '../parts.ts'

/** Maximum number of posts checked if extensions restrict reading. */
const MOST = 1000
const LENGTHS = { day: 10, month: 7, year: 4 } as const

/** Days, months or years with posts that the reader can see, with counts; newest first. */
export async function readablePeriods(
  content: Content,
  query: PeriodQuery,
): Promise<readonly { readonly period: string; readonly count: number }[]> {
  if (content.isReadByStatus()) return content.posts.periods(query)
  const { unit, after, before } = query
  const { items } = await content.posts.query({
    ...{ types: ['post'], after, before, limit: MOST, noFoundRows: true, readableBy: reader() },
  })
  const counts = new Map<string, number>()
  for (const { date } of items) {
    const period = date.slice(0, LENGTHS[unit])
    counts.set(period, (counts.get(period) ?? 0) + 1)
  }
  return [...counts].map(([period, count]) => ({ period, count }))
}
