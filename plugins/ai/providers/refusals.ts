import { RestError } from 'pentad'
import { subjectOf } from './choice.ts'
import type { ModelChoice } from './types.ts'

/** @param wanted the model that the owner named */
export function noProvider(wanted: string): RestError {
  const message =
    wanted === ''
      ? 'Connect an AI provider in the settings first.'
      : `Connect the provider of ${wanted} in the settings, or choose another model.`
  return new RestError('ai_no_provider', message, { status: 409 })
}

/** WordPress's editor hides its image button with such a message. */
export const NO_IMAGE_MODEL = 'None of the connected AI keys offers an image model.'

export function noImageModel(): RestError {
  return new RestError('ai_no_image_model', NO_IMAGE_MODEL, { status: 409 })
}

export function limitReached(): RestError {
  return new RestError('ai_limit_reached', 'The AI tokens of this month are used up.', { status: 402 })
}

export function contentRefused({ provider }: ModelChoice): RestError {
  return new RestError('ai_content_refused', `${subjectOf(provider)} refuses to answer this.`, { status: 422 })
}

export function unusableAnswer({ provider }: ModelChoice): RestError {
  return providerError(`${subjectOf(provider)} gave an answer that can't be used. Try again.`)
}

export function providerError(message: string): RestError {
  return new RestError('ai_provider_error', message, { status: 502 })
}
