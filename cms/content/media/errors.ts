import { RestError } from '../../../core/errors.ts'

/** Why a file is rejected: `data.reason` for programs, the message for users. WordPress has one code for all. */
export type Reason = 'file_type' | 'damaged' | 'image_too_large' | 'unsafe' | 'empty'

/** A rejected file. WordPress responds with 500; here it is a client error. */
export function fileRejected(reason: Reason, message: string): RestError {
  return new RestError('rest_upload_unknown_error', message, { status: 400, reason })
}

export function typeRejected(): RestError {
  return fileRejected('file_type', 'Sorry, you are not allowed to upload this file type.')
}

/** An image format that neither browsers nor sharp support; the message says how to convert it. */
export function notConvertible(): RestError {
  const message =
    'The web server cannot generate responsive image sizes for this image. Convert it to JPEG or PNG before uploading.'
  return new RestError('rest_upload_image_type_not_supported', message, { status: 400, reason: 'file_type' })
}
