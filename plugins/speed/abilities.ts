import { asCaller, type ExtensionHost } from 'pentad'
import { z } from 'zod'

const rating = z.string().nullable().describe('good, needs-improvement, or poor; null if there are too few visits.')
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
      value: z.number().nullable().describe('Median.'),
      p75: z.number().nullable().describe('75th percentile.'),
      unit: z.string(),
      rating,
    }),
  ),
  pages: z.array(z.object({ id: z.string(), ...summary })).describe('Page groups, slowest first.'),
})

/** Abilities for models and agents: read performance and purge the cache. */
export function registerAbilities({ abilities, rest }: Pick<ExtensionHost, 'abilities' | 'rest'>): void {
  const common = { category: 'performance', permission: 'manage_options' } as const
  abilities.registerCategory({
    slug: 'performance',
    label: 'Performance',
    description: 'Page speed for visitors.',
  })

  abilities.register({
    ...common,
    name: 'speed/get-performance',
    label: 'Performance',
    description: 'Returns the performance score and the Core Web Vitals of real visitors.',
    output: performance,
    readonly: true,
    async execute(_, caller) {
      const response = await asCaller(rest, caller).read('/speed/v1/performance-score/fetch')
      return z.object({ data: performance }).parse(response).data
    },
  })

  abilities.register({
    ...common,
    name: 'speed/purge-cache',
    label: 'Purge the page cache',
    description:
      'Purges all cached pages and re-renders them. Content changes already purge affected pages automatically.',
    output: z.object({ purged: z.int().describe('Number of purged pages.') }),
    readonly: false,
    idempotent: true,
    async execute(_, caller) {
      const response = await asCaller(rest, caller).write('POST', '/speed/v1/purge-pages-and-preload')
      return z.object({ data: z.object({ purged: z.int() }) }).parse(response).data
    },
    preview: () => ({
      target: { type: 'cache', id: null, title: 'Page cache' },
      summary: 'Purge all cached pages and re-render them.',
      before: null,
      after: { pages: 're-rendered' },
    }),
  })
}
