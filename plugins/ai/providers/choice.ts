import type { AiSettings } from '../settings.ts'
import type { ModelChoice, ProviderId } from './types.ts'

export type ModelKind = 'text' | 'image' | 'embedding'

/** How people know them. */
const PROVIDER_NAMES: Readonly<Record<ProviderId, string>> = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  google: 'Google',
  compatible: 'OpenAI-compatible server',
}

/** A provider at the beginning of a sentence. */
export const subjectOf = (id: ProviderId): string =>
  id === 'compatible' ? 'The OpenAI-compatible server' : PROVIDER_NAMES[id]

/** In the order in which they are taken. */
export const PROVIDERS = ['openai', 'anthropic', 'google', 'compatible'] as const

/** What a provider is asked for where the owner names no model; a kind that it does not have is left out. */
const USUAL: Readonly<Record<ProviderId, Partial<Record<ModelKind, string>>>> = {
  openai: { text: 'gpt-5.4-mini', image: 'gpt-image-2.5-sunburst', embedding: 'text-embedding-3-small' },
  anthropic: { text: 'claude-sonnet-5-5' },
  google: { text: 'gemini-3.8-flash', image: 'gemini-nano-banana-2.1', embedding: 'gemini-embedding-2' },
  // Servers of one model do not look at its name. For images and embeddings few have one, so it must be named.
  compatible: { text: 'default' },
}

/** A provider as the owner sees it. */
export interface ProviderState {
  readonly id: ProviderId
  readonly name: string
  /** It has a key, or an address. */
  readonly connected: boolean
  /** For each kind what it is asked for, `null` where it has none; chosen is what the site uses now. */
  readonly models: Readonly<Record<ModelKind, { readonly model: string | null; readonly isChosen: boolean }>>
}

/** Whose models have such names. */
const FAMILIES: readonly (readonly [RegExp, ProviderId])[] = [
  [/^(gpt-|o\d|chatgpt-|dall-e-|text-embedding-)/, 'openai'],
  [/^claude-/, 'anthropic'],
  [/^(gemini-|imagen-)/, 'google'],
]

/** Providers that have a key, or for a compatible server an address. */
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
 * The model that is asked for one kind of thing. The owner's `provider/model` is taken at its word; a bare name goes to
 * the provider whose models are called so, otherwise to the compatible server, which may have models of any name
 * (`openai/gpt-5.4` of OpenRouter too, where OpenAI itself is not connected).
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

/** What is known of a provider without a request: whether it is connected, and the models that it is asked for. */
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
    models: { text: modelOf('text'), image: modelOf('image'), embedding: modelOf('embedding') },
  }
}

/** The model that tells whether a provider can be reached with its key. */
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
