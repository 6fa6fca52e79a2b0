import { asCaller, type ExtensionHost } from 'pentad'
import { z } from 'zod'

const score = z.object({
  scoreResult: z.string().describe('Excellent, Good, Average, or Bad.'),
  scorePercent: z.int(),
  actionItems: z
    .array(z.object({ id: z.string(), title: z.string(), description: z.string() }))
    .optional()
    .describe('What is missing, most important first. Requires a license.'),
})

/** Abilities of the PWA service for AI agents. */
export function registerAbilities({ abilities, rest }: Pick<ExtensionHost, 'abilities' | 'rest'>): void {
  abilities.registerCategory({ slug: 'pwa', label: 'PWA', description: 'The site as an installable app.' })
  abilities.register({
    name: 'pwa/get-score',
    label: 'PWA score',
    description: 'Returns how well the site works as an installable app, as a percentage, and what is missing.',
    category: 'pwa',
    output: score,
    permission: 'manage_options',
    readonly: true,
    async execute(_, caller) {
      const response = await asCaller(rest, caller).read('/pwa/v1/pwa-score/fetch')
      return z.object({ data: score }).parse(response).data
    },
  })
}
