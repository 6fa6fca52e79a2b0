import { asCaller, type ExtensionHost } from 'pentad'
import { z } from 'zod'

const usage = z.object({
  month: z.string().describe('Such as 2026-11, UTC.'),
  limit: z.int().describe('Tokens that the site may use in a month; 0 for no limit.'),
  users: z.array(
    z.object({
      userId: z.int().describe('0 is all visitors.'),
      calls: z.int(),
      inputTokens: z.int(),
      outputTokens: z.int(),
    }),
  ),
})

/** What models and agents may find out about the models of the site. */
export function registerAbilities({ abilities, rest }: Pick<ExtensionHost, 'abilities' | 'rest'>): void {
  abilities.registerCategory({ slug: 'ai', label: 'AI', description: 'The models that the site asks.' })
  abilities.register({
    name: 'ai/get-usage',
    label: 'AI usage',
    description: 'Answers who had models use how many tokens this month, and the limit.',
    category: 'ai',
    output: usage,
    permission: 'manage_options',
    readonly: true,
    async execute(_, caller) {
      const answer = await asCaller(rest, caller).read('/ai/v1/usage')
      return z.object({ data: usage }).parse(answer).data
    },
  })
}
