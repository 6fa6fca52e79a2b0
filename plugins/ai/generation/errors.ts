import { RestError } from 'pentad'

/** The model answered, but the answer cannot be used. */
export function unusableText(): RestError {
  return new RestError('ai_provider_error', 'The model did not return usable text. Try again.', { status: 502 })
}

export function unusableImage(): RestError {
  return new RestError('ai_provider_error', 'The model did not return a usable image. Try again.', { status: 502 })
}
