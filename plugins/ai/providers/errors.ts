import { RestError } from 'pentad'
import { subjectOf } from './choice.ts'
import type { ModelChoice } from './types.ts'

/** @param wanted the configured model */
export function noProvider(wanted: string): RestError {
  const message =
    wanted === ''
      ? 'Connect an AI provider in the AI settings first.'
      : `Connect the provider of ${wanted} in the AI settings, or choose another model.`
  return new RestError('ai_no_provider', message, { status: 409 })
}

/** WordPress's editor hides its image button and shows this message. */
export const NO_IMAGE_MODEL = 'No connected AI provider offers an image model.'

export function noImageModel(): RestError {
  return new RestError('ai_no_image_model', NO_IMAGE_MODEL, { status: 409 })
}

/** Messages by the setting of the limit. A daily budget resets at midnight UTC. */
const LIMITS = {
  monthlyTokenLimit: 'The monthly token limit has been reached. An administrator can raise it in the AI settings.',
  dailyTokenLimit:
    'The daily token limit has been reached. Try again after midnight (UTC), or raise the limit in the AI settings.',
  helpdeskDailyTokenLimit:
    'AI answers are not available until tomorrow. Please send your question as a message instead.',
} as const

export function limitReached(limit: keyof typeof LIMITS): RestError {
  return new RestError('ai_limit_reached', LIMITS[limit], { status: 402 })
}

export function contentRejected({ provider }: ModelChoice): RestError {
  return new RestError(
    'ai_content_refused',
    `${subjectOf(provider)} declined the request because of its content policy.`,
    { status: 422 },
  )
}

export function unusableResponse({ provider }: ModelChoice): RestError {
  return providerError(`${subjectOf(provider)} returned an unusable answer. Try again.`)
}

export function providerError(message: string): RestError {
  return new RestError('ai_provider_error', message, { status: 502 })
}
