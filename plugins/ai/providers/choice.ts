import { installCommand } from 'pentad'
import type { AiSettings } from '../settings.ts'
import type { ModelChoice, ProviderId } from './types.ts'

export type ModelKind = 'text' | 'image' | 'embedding'

/** Display names. */
const PROVIDER_NAMES: Readonly<Record<ProviderId, string>> = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  google: 'Google',
  compatible: 'OpenAI-compatible server',
}

/** Name of a provider at the start of a sentence. */
export const subjectOf = (id: ProviderId): string =>
  id === 'compatible' ? 'The OpenAI-compatible server' : PROVIDER_NAMES[id]

/** The npm packages that each provider needs; optional ones. */
export const PACKAGES: Readonly<Record<ProviderId, readonly string[]>> = {
  openai: ['ai', '@ai-sdk/openai'],
  anthropic: ['ai', '@ai-sdk/anthropic'],
  google: ['ai', '@ai-sdk/google'],
  compatible: ['ai', '@ai-sdk/openai-compatible'],
}

/** In order of preference. */
export const PROVIDERS = ['openai', 'anthropic', 'google', 'compatible'] as const

/** Default models by provider; kinds that a provider does not offer are omitted. */
const USUAL: Readonly<Record<ProviderId, Partial<Record<ModelKind, string>>>> = {
  openai: { text: 'gpt-5.4-mini', image: 'gpt-image-2.5-sunburst', embedding: 'text-embedding-3-small' },
  anthropic: { text: 'claude-sonnet-5-5' },
  google: { text: 'gemini-3.8-flash', image: 'gemini-nano-banana-2.1', embedding: 'gemini-embedding-2' },
  // Servers with a single model ignore its name. Few offer images or embeddings, so those must be configured.
  compatible: { text: 'default' },
}

/** A provider for the site owner. */
export interface ProviderState {
  readonly id: ProviderId
  readonly name: string
  /** Whether an API key or server URL is set. */
  readonly connected: boolean
  /** Command that installs the npm packages it needs; `null` if none is missing. */
  readonly install: string | null
  /** Model of each kind, `null` if the provider has none; `chosen` is the one in use. */
  readonly models: Readonly<Record<ModelKind, { readonly model: string | null; readonly isChosen: boolean }>>
}

/** Providers by the prefix of their model names. */
const FAMILIES: readonly (readonly [RegExp, ProviderId])[] = [
  [/^(gpt-|o\d|chatgpt-|dall-e-|text-embedding-)/, 'openai'],
  [/^claude-/, 'anthropic'],
  [/^(gemini-|imagen-)/, 'google'],
]

/** Providers with an API key or, for a compatible server, a URL. */
function connectedProviders(settings: AiSettings): ProviderId[] {
  const connected: Readonly<Record<ProviderId, string>> = {
    openai: settings.openaiApiKey,
    anthropic: settings.anthropicApiKey,
    google: settings.googleApiKey,
    compatible: settings.compatibleBaseUrl,
  }
  return PROVIDERS.filter((provider) => connected[provider] !== '')
}

/**
 * The model for a kind of call. A configured `provider/model` is used as is; a bare name belongs to the provider with
 * such model names, otherwise to the compatible server, whose models can have any name (`openai/gpt-5.4` at OpenRouter
 * if OpenAI is not connected).
 */
export function chooseModel(kind: ModelKind, settings: AiSettings): ModelChoice | undefined {
  const connected = connectedProviders(settings)
  const wanted = { text: settings.textModel, image: settings.imageModel, embedding: settings.embeddingModel }[kind]
  if (wanted !== '') return named(wanted, connected)
  for (const provider of connected) {
    const model = USUAL[provider][kind]
    if (model !== undefined) return { provider, model }
  }
  return undefined
}

/** State of a provider without a request: whether it is connected, and its models. */
export function describeProvider(id: ProviderId, settings: AiSettings): ProviderState {
  const modelOf = (kind: ModelKind) => {
    const chosen = chooseModel(kind, settings)
    return {
      model: chosen?.provider === id ? chosen.model : (USUAL[id][kind] ?? null),
      isChosen: chosen?.provider === id,
    }
  }
  return {
    id,
    name: PROVIDER_NAMES[id],
    connected: connectedProviders(settings).includes(id),
    install: installCommand(PACKAGES[id]),
    models: { text: modelOf('text'), image: modelOf('image'), embedding: modelOf('embedding') },
  }
}

/** The model used to test a connection. */
export function textModelOf(provider: ProviderId, settings: AiSettings): ModelChoice | undefined {
  if (!connectedProviders(settings).includes(provider)) return undefined
  const chosen = chooseModel('text', settings)
  const model = chosen?.provider === provider ? chosen.model : USUAL[provider].text
  return model === undefined ? undefined : { provider, model }
}

function named(wanted: string, connected: readonly ProviderId[]): ModelChoice | undefined {
  const prefixed = connected.find((provider) => wanted.startsWith(`${provider}/`))
  if (prefixed) return { provider: prefixed, model: wanted.slice(prefixed.length + 1) }
  const family = FAMILIES.find(([names]) => names.test(wanted))?.[1]
  const provider = [family, 'compatible' as const].find((one) => one !== undefined && connected.includes(one))
  return provider && { provider, model: wanted }
}
