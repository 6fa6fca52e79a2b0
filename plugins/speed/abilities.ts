import { asCaller, type ExtensionHost } from 'pentad'
import { z } from 'zod'

const rating = z.string().nullable().describe('good, needs-improvement or poor; null: too few visits.')
const summary = {
  score: z.number().nullable().describe('0 to 100; null until there are 10 visits.'),
  rating,
  samples: z.int(),
}
const performance = z.object({
  ...summary,
  metrics: z.array(
    z.object({
      id: z.string(),
      value: z.number().nullable().describe('The median.'),
      p75: z.number().nullable().describe('What three of four visitors did not exceed.'),
      unit: z.string(),
      rating,
    }),
  ),
  pages: z.array(z.object({ id: z.string(), ...summary })).describe('Groups of pages, the slowest first.'),
})

/** What models and agents may find out about how fast the site is, and do about what it keeps. */
export function registerAbilities({ abilities, rest }: Pick<ExtensionHost, 'abilities' | 'rest'>): void {
  const common = { category: 'performance', permission: 'manage_options' } as const
  abilities.registerCategory({
    slug: 'performance',
    label: 'Performance',
    description: 'How fast pages reach visitors.',
  })

  abilities.register({
    ...common,
    name: 'speed/get-performance',
    label: 'Performance',
    description: 'Answers how fast pages were for their visitors: a score and the web vitals behind it.',
    output: performance,
    readonly: true,
    async execute(_, caller) {
      const answer = await asCaller(rest, caller).read('/speed/v1/performance-score/fetch')
      return z.object({ data: performance }).parse(answer).data
    },
  })

  abilities.register({
    ...common,
    name: 'speed/purge-cache',
    label: 'Empty the page cache',
    description: 'Removes the cached pages and renders them again. Changes of content do so by themselves.',
    output: z.object({ purged: z.int().describe('How many pages went.') }),
    readonly: false,
    idempotent: true,
    async execute(_, caller) {
      const answer = await asCaller(rest, caller).write('POST', '/speed/v1/purge-pages-and-preload')
      return z.object({ data: z.object({ purged: z.int() }) }).parse(answer).data
    },
    preview: () => ({
      target: { type: 'cache', id: null, title: 'Page cache' },
      summary: 'Remove the cached pages and render them again.',
      before: null,
      after: { pages: 'rendered again' },
    }),
  })
}
