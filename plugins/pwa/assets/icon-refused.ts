/** What is wrong with an image that was chosen as the app icon. */
export type IconFault = 'file_type' | 'damaged' | 'image_too_large' | 'too_small' | 'too_complex' | 'empty'

/** The icon is there, and nothing can be made of it. Not a `RestError`, so that the drawing process loads little. */
export class IconRefused extends Error {
  override readonly name = 'IconRefused'
  readonly reason: IconFault

  constructor(reason: IconFault, message: string) {
    super(message)
    this.reason = reason
  }
}

export function takesTooLong(): IconRefused {
  return new IconRefused('too_complex', 'The app icon takes too long to draw. Make it simpler.')
}
