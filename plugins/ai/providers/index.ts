import type { ExtensionHost } from 'pentad'
import type { AiSettings } from '../settings.ts'
import { openAccounts } from './accounts.ts'
import { createAsking } from './asking.ts'
import { chooseModel } from './choice.ts'
import { createRetryingFetch } from './retrying-fetch.ts'
import { registerProviderRoutes } from './routes.ts'
import type { Providers } from './types.ts'

/** The models of the connected providers, and the routes that tell of them. */
export async function createProviders(
  host: ExtensionHost,
  { settings: { get: settings } }: { settings: { get(): AiSettings } },
): Promise<Providers> {
  const accounts = await openAccounts(host.database, settings)
  const asking = createAsking({ accounts, settings, fetch: createRetryingFetch(host.fetch), log: host.log })
  registerProviderRoutes(host, { accounts, asking, settings })
  return {
    choices: () => ({
      text: chooseModel('text', settings()),
      image: chooseModel('image', settings()),
      embedding: chooseModel('embedding', settings()),
    }),
    text: asking.text,
    object: asking.object,
    tools: asking.tools,
    image: asking.image,
    embeddings: asking.embeddings,
  }
}
