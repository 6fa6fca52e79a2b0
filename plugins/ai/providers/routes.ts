import { type ExtensionHost, RestError, success } from 'pentad'
import { z } from 'zod'
import type { AiSettings } from '../settings.ts'
import type { Accounts } from './accounts.ts'
import type { Asking } from './asking.ts'
import { textModelOf } from './choice.ts'

const test = z.object({
  provider: z.enum(['openai', 'anthropic', 'google', 'compatible']).meta({ description: 'Which one is asked.' }),
})

/** What an administrator wants to know of the models: whether a key works, and what was used. Beyond the contract. */
export function registerProviderRoutes(
  host: ExtensionHost,
  { accounts, asking, settings }: { accounts: Accounts; asking: Asking; settings: () => AiSettings },
): void {
  host.rest.registerRoute('ai/v1', {
    method: 'POST',
    path: '/providers/{provider}/test',
    access: 'manage_options',
    summary: 'Asks a provider for one word, to see whether its key works.',
    input: test,
    async handler({ input, user, signal }) {
      const choice = textModelOf(input.provider, settings())
      if (!choice) throw new RestError('ai_no_provider', 'This provider is not connected.', { status: 409 })
      const { usage } = await asking.text(
        {
          ...{ operation: 'test', userId: user?.id ?? null, signal },
          instructions: 'You are being tested.',
          messages: [{ role: 'user', content: 'Answer with the word “ready”.' }],
        },
        choice,
      )
      return success({ ...choice, usage })
    },
  })

  host.rest.registerRoute('ai/v1', {
    method: 'GET',
    path: '/usage',
    access: 'manage_options',
    summary: 'Tokens of this month by user; user 0 is all visitors.',
    async handler() {
      return success({ ...(await accounts.ofMonth()), limit: settings().monthlyTokenLimit })
    },
  })
}
