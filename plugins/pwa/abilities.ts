import { asCaller, type ExtensionHost } from 'pentad'
import { z } from 'zod'

const score = z.object({
  scoreResult: z.string().describe('Excellent, Good, Average or Bad.'),
  scorePercent: z.int(),
  actionItems: z
    .array(z.object({ id: z.string(), title: z.string(), description: z.string() }))
    .optional()
    .describe('What is missing, the heaviest first; with a license.'),
})

/** What models and agents may find out about the site as an app. */
export function registerAbilities({ abilities, rest }: Pick<ExtensionHost, 'abilities' | 'rest'>): void {
  abilities.registerCategory({ slug: 'pwa', label: 'App', description: 'The site as an app that can be installed.' })
  abilities.register({
    name: 'pwa/get-score',
    label: 'App score',
    description: 'Answers how much of an installable app the site is, in percent, and what is missing.',
    category: 'pwa',
    output: score,
    permission: 'manage_options',
    readonly: true,
    async execute(_, caller) {
      const answer = await asCaller(rest, caller).read('/pwa/v1/pwa-score/fetch')
      return z.object({ data: score }).parse(answer).data
    },
  })
}
