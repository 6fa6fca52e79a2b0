import { RestError } from 'pentad'

type Reason = 'file_type' | 'damaged' | 'image_too_large' | 'too_small' | 'empty'

/** The setting names no icon, or one that is gone. */
export function missingAppIcon(message: string): RestError {
  return new RestError('missing_app_icon', message, { status: 400 })
}

/** The icon is there, and nothing can be made of it. */
export function invalidAppIcon(reason: Reason, message: string): RestError {
  return new RestError('invalid_app_icon', message, { status: 400, reason })
}
