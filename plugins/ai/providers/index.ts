import type { ExtensionHost } from 'pentad'
import type { AiSettings } from '../settings.ts'
import { chooseModel } from './choice.ts'
import { createModelClient } from './model-client.ts'
import { createRetryingFetch } from './retrying-fetch.ts'
import { registerProviderRoutes } from './routes.ts'
import { openTokenBudget } from './token-budget.ts'
import type { Providers } from './types.ts'

/** The models of the connected providers, and their routes. */
export async function createProviders(
  host: ExtensionHost,
  { settings: { get: settings } }: { settings: { get(): AiSettings } },
): Promise<Providers> {
  const budget = await openTokenBudget(host.database, settings)
  const models = createModelClient({ budget, settings, fetch: createRetryingFetch(host.fetch), log: host.log })
  registerProviderRoutes(host, { budget, models, settings })
  return {
    choices: () => ({
      text: chooseModel('text', settings()),
      image: chooseModel('image', settings()),
      embedding: chooseModel('embedding', settings()),
    }),
    text: models.text,
    object: models.object,
    tools: models.tools,
    image: models.image,
    embeddings: models.embeddings,
  }
}
