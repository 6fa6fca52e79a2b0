import { line, toggle } from 'pentad'
import { z } from 'zod'

export const visitSettings = {
  log404: toggle('on', '404 log', 'Logs requests for pages that do not exist.', 'visits'),
  log404MaxEntries: z.int().min(1).max(100_000).default(10_000).meta({
    title: 'Maximum 404 log entries',
    description: 'When the log is full, the entries with the fewest hits are deleted first.',
    group: 'visits',
  }),
  log404Ignored: z
    .array(line(2000).regex(/^[/*]/, 'It must start with / or *.'))
    .max(500)
    .default([])
    .meta({ title: 'Ignored URLs', description: 'Paths that are not logged. Use * as a wildcard.', group: 'visits' }),
  crawlerTracking: toggle('on', 'AI crawler tracking', 'Counts the pages that AI crawlers fetch.', 'visits'),
  referralTracking: toggle('on', 'AI referral tracking', 'Counts visitors who come from AI assistants.', 'visits'),
}

export type VisitSettings = z.output<z.ZodObject<typeof visitSettings>>
