import { RestError } from '../../../core/errors.ts'

/** What is wrong with a file: `data.reason` says it to a program, the message to a person. WordPress has one code for all. */
export type Reason = 'file_type' | 'damaged' | 'image_too_large' | 'unsafe' | 'empty'

/** A file that cannot be taken. WordPress answers 500; here it is the file that is wrong, not the server. */
export function fileRefused(reason: Reason, message: string): RestError {
  return new RestError('rest_upload_unknown_error', message, { status: 400, reason })
}

export function typeRefused(): RestError {
  return fileRefused('file_type', 'Sorry, you are not allowed to upload this file type.')
}

/** An image that neither browsers nor sharp know; a camera's user should learn what to do. */
export function notConvertible(): RestError {
  const message =
    'The web server cannot generate responsive image sizes for this image. Convert it to JPEG or PNG before uploading.'
  return new RestError('rest_upload_image_type_not_supported', message, { status: 400, reason: 'file_type' })
}
