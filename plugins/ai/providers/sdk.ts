/** The SDK and its clients of providers: optional packages, loaded with the first call. */
import { packageMissing } from 'pentad'
import { PACKAGES, subjectOf } from './choice.ts'
import type { ProviderId } from './types.ts'

/**
 * The SDK.
 *
 * @param provider - The one that will be called; its packages are named if they are missing.
 * @throws RestError 501 `package_missing`
 */
export async function loadSdk(provider: ProviderId) {
  const sdk = await import('ai').catch(missing(provider))
  // Warnings of the SDK about unsupported settings do not belong in the log.
  globalThis.AI_SDK_LOG_WARNINGS = false
  return sdk
}

export type Sdk = Awaited<ReturnType<typeof loadSdk>>

export const loadOpenAi = () => import('@ai-sdk/openai').catch(missing('openai'))
export const loadAnthropic = () => import('@ai-sdk/anthropic').catch(missing('anthropic'))
export const loadGoogle = () => import('@ai-sdk/google').catch(missing('google'))
export const loadCompatible = () => import('@ai-sdk/openai-compatible').catch(missing('compatible'))

function missing(provider: ProviderId) {
  return packageMissing(subjectOf(provider), PACKAGES[provider])
}
