/** SDK clients of the providers. */
import type { EmbeddingModel, ImageModel, LanguageModel } from 'ai'
import type { AiSettings } from '../settings.ts'
import { noImageModel, noProvider } from './errors.ts'
import { loadAnthropic, loadCompatible, loadGoogle, loadOpenAi, type Sdk } from './sdk.ts'
import type { ModelChoice } from './types.ts'

/** Inputs for creating a model. */
export interface Connection {
  readonly settings: AiSettings
  readonly fetch: typeof fetch
}

export async function languageModel(
  { provider, model }: ModelChoice,
  connection: Connection,
): Promise<Exclude<LanguageModel, string>> {
  switch (provider) {
    case 'openai':
      return (await openAi(connection))(model)
    case 'anthropic': {
      const { createAnthropic } = await loadAnthropic()
      return createAnthropic({ apiKey: connection.settings.anthropicApiKey, fetch: connection.fetch })(model)
    }
    case 'google':
      return (await google(connection))(model)
    case 'compatible':
      return (await compatible(connection))(model)
  }
}

/** Like `languageModel`, but for JSON answers, which some models wrap in code fences. */
export async function jsonModel(
  { extractJsonMiddleware, wrapLanguageModel }: Sdk,
  choice: ModelChoice,
  connection: Connection,
): Promise<LanguageModel> {
  const model = await languageModel(choice, connection)
  return wrapLanguageModel({ model, middleware: extractJsonMiddleware() })
}

export async function imageModel({ provider, model }: ModelChoice, connection: Connection): Promise<ImageModel> {
  switch (provider) {
    case 'openai':
      return (await openAi(connection)).image(model)
    case 'google':
      return (await google(connection)).image(model)
    case 'compatible':
      return (await compatible(connection)).imageModel(model)
    case 'anthropic':
      throw noImageModel()
  }
}

export async function embeddingModel(
  { provider, model }: ModelChoice,
  connection: Connection,
): Promise<EmbeddingModel> {
  switch (provider) {
    case 'openai':
      return (await openAi(connection)).embedding(model)
    case 'google':
      return (await google(connection)).embedding(model)
    case 'compatible':
      return (await compatible(connection)).embeddingModel(model)
    case 'anthropic':
      throw noProvider(model)
  }
}

async function openAi({ settings, fetch }: Connection) {
  const { createOpenAI } = await loadOpenAi()
  return createOpenAI({ apiKey: settings.openaiApiKey, fetch })
}

async function google({ settings, fetch }: Connection) {
  const { createGoogle } = await loadGoogle()
  return createGoogle({ apiKey: settings.googleApiKey, fetch })
}

async function compatible({ settings, fetch }: Connection) {
  const { createOpenAICompatible } = await loadCompatible()
  return createOpenAICompatible({
    name: 'compatible',
    baseURL: settings.compatibleBaseUrl,
    ...(settings.compatibleApiKey !== '' && { apiKey: settings.compatibleApiKey }),
    fetch,
    includeUsage: true,
    supportsStructuredOutputs: true,
  })
}
