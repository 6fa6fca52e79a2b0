import { RestError } from 'pentad'

/** The model answered, but the answer cannot be used. */
export function unusableText(): RestError {
  return new RestError('ai_provider_error', 'The AI model returned no usable text. Try again.', { status: 502 })
}

export function unusableImage(): RestError {
  return new RestError('ai_provider_error', 'The AI model returned no usable image. Try again.', { status: 502 })
}
