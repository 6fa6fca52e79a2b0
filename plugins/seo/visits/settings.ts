import { line, toggle } from 'pentad'
import { z } from 'zod'

export const visitSettings = {
  log404: toggle('on', 'Log of missing pages', 'Notes addresses that were asked for and not found.', 'visits'),
  log404MaxEntries: z
    .int()
    .min(1)
    .max(100_000)
    .default(10_000)
    .meta({ title: 'Entries of that log', description: 'Those with the fewest hits go first.', group: 'visits' }),
  log404Ignored: z
    .array(line(2000).regex(/^[/*]/, 'It must begin with / or *.'))
    .max(500)
    .default([])
    .meta({ title: 'Ignored addresses', description: 'Paths that are not noted; * is anything.', group: 'visits' }),
  crawlerTracking: toggle('on', 'Count AI crawlers', 'Counts what crawlers of AI services fetch.', 'visits'),
  referralTracking: toggle('on', 'Count AI referrals', 'Counts visitors whom an assistant sent.', 'visits'),
}

export type VisitSettings = z.output<z.ZodObject<typeof visitSettings>>
