import { type ExtensionHost, RestError, success, successSchema } from 'pentad'
import { z } from 'zod'
import { MODEL_TIME } from '../model-time.ts'
import type { AiSettings } from '../settings.ts'
import { namesOf } from '../user-names.ts'
import { chooseModel, describeProvider, PROVIDERS, textModelOf } from './choice.ts'
import type { ModelClient } from './model-client.ts'
import type { TokenBudget } from './token-budget.ts'

const test = z.object({
  provider: z.enum(['openai', 'anthropic', 'google', 'compatible']).meta({ description: 'Provider to test.' }),
})

const usage = z.object({
  days: z.int().min(1).max(366).default(30).meta({ description: 'Number of days up to and including today (UTC).' }),
})

const choice = z.object({ provider: z.enum(PROVIDERS), model: z.string().describe('Model ID at the provider.') })
const modelOf = z.object({
  model: z.string().nullable(),
  isChosen: z.boolean().describe('Whether the site uses this model.'),
})
const providersResponse = successSchema(
  z.object({
    items: z.array(
      z.object({
        ...{ id: z.enum(PROVIDERS), name: z.string() },
        connected: z.boolean().describe('Whether an API key or server URL is set.'),
        install: z
          .string()
          .nullable()
          .describe('Command that installs the npm packages it needs; null if none is missing.'),
        models: z.object({ text: modelOf, image: modelOf, embedding: modelOf }),
      }),
    ),
    choices: z.object({ text: choice.nullable(), image: choice.nullable(), embedding: choice.nullable() }),
  }),
)

const tokens = { inputTokens: z.int(), outputTokens: z.int() }
const used = { calls: z.int(), ...tokens }
const usageResponse = successSchema(
  z.object({
    month: z.string().describe('Month in UTC, such as 2026-05.'),
    users: z.array(z.object({ userId: z.int(), name: z.string().nullable(), ...used })),
    ...{ limit: z.int().describe('Monthly token limit; 0 for no limit.'), dailyLimit: z.int() },
    days: z.array(z.object({ day: z.string(), ...used })),
    purposes: z.array(z.object({ operation: z.string(), ...used })),
  }),
)

/** Connection tests and token usage, for administrators. */
export function registerProviderRoutes(
  host: ExtensionHost,
  { budget, models, settings }: { budget: TokenBudget; models: ModelClient; settings: () => AiSettings },
): void {
  host.rest.registerRoute('ai/v1', {
    method: 'GET',
    path: '/providers',
    response: providersResponse,
    access: 'manage_options',
    summary: 'Lists AI providers with their models, and the models in use.',
    handler: () =>
      success({
        items: PROVIDERS.map((id) => describeProvider(id, settings())),
        choices: {
          text: chooseModel('text', settings()) ?? null,
          image: chooseModel('image', settings()) ?? null,
          embedding: chooseModel('embedding', settings()) ?? null,
        },
      }),
  })

  host.rest.registerRoute('ai/v1', {
    method: 'POST',
    path: '/providers/{provider}/test',
    response: successSchema(choice.extend({ usage: z.object(tokens) })),
    access: 'manage_options',
    timeLimit: MODEL_TIME,
    summary: 'Tests the connection to a provider with a short prompt.',
    input: test,
    async handler({ input, user, signal }) {
      const choice = textModelOf(input.provider, settings())
      if (!choice)
        throw new RestError('ai_no_provider', 'This provider is not connected. Add its API key first.', { status: 409 })
      const { usage } = await models.text(
        {
          ...{ operation: 'test', userId: user?.id ?? null, signal },
          instructions: 'This is a connection test.',
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
    response: usageResponse,
    access: 'manage_options',
    summary:
      'Returns token usage: usage this month by user (user 0 represents all visitors), and recent daily usage by purpose.',
    input: usage,
    async handler({ input }) {
      const [ofMonth, history] = await Promise.all([budget.ofMonth(), budget.history(input.days)])
      const names = await namesOf(host, ofMonth.users)
      const users = ofMonth.users.map((used) => ({ ...used, name: names.get(used.userId) ?? null }))
      const { monthlyTokenLimit: limit, dailyTokenLimit: dailyLimit } = settings()
      return success({ month: ofMonth.month, users, limit, dailyLimit, ...history })
    },
  })

  host.jobs.schedule('forget-usage', '17 4 * * *', () => budget.prune())
}
