/** Why an image cannot be used as the app icon. */
export type IconErrorReason = 'file_type' | 'damaged' | 'image_too_large' | 'too_small' | 'too_complex' | 'empty'

/** The app icon exists but cannot be used. Not a `RestError`, so that the drawing process loads little code. */
export class IconError extends Error {
  override readonly name = 'IconRefused'
  readonly reason: IconErrorReason

  constructor(reason: IconErrorReason, message: string) {
    super(message)
    this.reason = reason
  }
}

export function renderTimeout(): IconError {
  return new IconError('too_complex', 'Rendering the app icon takes too long. Use a simpler image.')
}
