/** SDK clients of the providers, loaded with the first call. */
import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { type EmbeddingModel, extractJsonMiddleware, type ImageModel, type LanguageModel, wrapLanguageModel } from 'ai'
import type { AiSettings } from '../settings.ts'
import { noImageModel, noProvider } from './errors.ts'
import type { ModelChoice } from './types.ts'

// Warnings of the SDK about unsupported settings do not belong in the log.
globalThis.AI_SDK_LOG_WARNINGS = false

/** Inputs for creating a model. */
export interface Connection {
  readonly settings: AiSettings
  readonly fetch: typeof fetch
}

export function languageModel(
  { provider, model }: ModelChoice,
  connection: Connection,
): Exclude<LanguageModel, string> {
  switch (provider) {
    case 'openai':
      return openAi(connection)(model)
    case 'anthropic':
      return createAnthropic({ apiKey: connection.settings.anthropicApiKey, fetch: connection.fetch })(model)
    case 'google':
      return google(connection)(model)
    case 'compatible':
      return compatible(connection)(model)
  }
}

/** Like `languageModel`, but for JSON answers, which some models wrap in code fences. */
export function jsonModel(choice: ModelChoice, connection: Connection): LanguageModel {
  const model = languageModel(choice, connection)
  return wrapLanguageModel({ model, middleware: extractJsonMiddleware() })
}

export function imageModel({ provider, model }: ModelChoice, connection: Connection): ImageModel {
  switch (provider) {
    case 'openai':
      return openAi(connection).image(model)
    case 'google':
      return google(connection).image(model)
    case 'compatible':
      return compatible(connection).imageModel(model)
    case 'anthropic':
      throw noImageModel()
  }
}

export function embeddingModel({ provider, model }: ModelChoice, connection: Connection): EmbeddingModel {
  switch (provider) {
    case 'openai':
      return openAi(connection).embedding(model)
    case 'google':
      return google(connection).embedding(model)
    case 'compatible':
      return compatible(connection).embeddingModel(model)
    case 'anthropic':
      throw noProvider(model)
  }
}

function openAi({ settings, fetch }: Connection) {
  return createOpenAI({ apiKey: settings.openaiApiKey, fetch })
}

function google({ settings, fetch }: Connection) {
  return createGoogle({ apiKey: settings.googleApiKey, fetch })
}

function compatible({ settings, fetch }: Connection) {
  return createOpenAICompatible({
    name: 'compatible',
    baseURL: settings.compatibleBaseUrl,
    ...(settings.compatibleApiKey !== '' && { apiKey: settings.compatibleApiKey }),
    fetch,
    includeUsage: true,
    supportsStructuredOutputs: true,
  })
}
