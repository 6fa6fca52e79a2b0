import type { User } from '../../../core/auth/types.ts'
import { RestError } from '../../../core/errors.ts'

/** 401 for a visitor, 403 for a user; WordPress's `rest_authorization_required_code`. */
export function authorizationStatus(user: User | null): number {
  return user ? 403 : 401
}

export function accessDenied(user: User | null, code: string, message: string): RestError {
  return new RestError(code, message, { status: authorizationStatus(user) })
}

export function notFound(code: string, message: string): RestError {
  return new RestError(code, message, { status: 404 })
}

export function badRequest(code: string, message: string): RestError {
  return new RestError(code, message, { status: 400 })
}

/** One wrong parameter, in the shape of WordPress's `rest_invalid_param`. */
export function invalidParameter(
  name: string,
  problem: { code: string; message: string; data: Readonly<Record<string, unknown>> | null },
): RestError {
  return new RestError('rest_invalid_param', `Invalid parameter(s): ${name}`, {
    status: 400,
    params: { [name]: problem.message },
    details: { [name]: problem },
  })
}
