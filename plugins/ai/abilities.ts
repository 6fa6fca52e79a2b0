import { asCaller, type ExtensionHost } from 'pentad'
import { z } from 'zod'

const usage = z.object({
  month: z.string().describe('Month in UTC, such as 2026-11.'),
  limit: z.int().describe('Monthly token limit of the site; 0 for no limit.'),
  users: z.array(
    z.object({
      userId: z.int().describe('ID of the user; 0 stands for all visitors.'),
      calls: z.int(),
      inputTokens: z.int(),
      outputTokens: z.int(),
    }),
  ),
})

/** The abilities of the AI service: token usage. */
export function registerAbilities({ abilities, rest }: Pick<ExtensionHost, 'abilities' | 'rest'>): void {
  abilities.registerCategory({ slug: 'ai', label: 'AI', description: 'AI models that the site uses.' })
  abilities.register({
    name: 'ai/get-usage',
    label: 'AI usage',
    description: 'Returns the token usage of each user this month, and the limit.',
    category: 'ai',
    output: usage,
    permission: 'manage_options',
    readonly: true,
    async execute(_, caller) {
      const response = await asCaller(rest, caller).read('/ai/v1/usage')
      return z.object({ data: usage }).parse(response).data
    },
  })
}
