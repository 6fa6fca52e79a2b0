import { RestError } from '../../core/errors.ts'

/** A package that cannot be installed. The message is a sentence for the site owner. */
export const invalidPackage = (message: string): RestError => new RestError('package_invalid', message, { status: 400 })

/** The registry, or another server, did not return what was requested. */
export const unavailable = (message: string): RestError =>
  new RestError('package_unavailable', message, { status: 502 })

/** The registry has no such package, or no such version. */
export const notFound = (message: string): RestError => new RestError('package_not_found', message, { status: 404 })

/** The package is fine, but does not fit this site. */
export const conflict = (message: string): RestError => new RestError('package_conflict', message, { status: 409 })
