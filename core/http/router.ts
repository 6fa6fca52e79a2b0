import Router, { type Layer } from '@koa/router'
import type Koa from 'koa'
import { RestError } from '../errors.ts'

/** The site's fixed paths, such as `/wp-login.php`, with their methods. */
export type FixedAddresses = Router

/** Context that the router provides to later middleware. */
export type FoundContext = ReturnType<Router['routes']> extends Koa.Middleware<infer _, infer Found> ? Found : never
export type ServerMiddleware = Koa.Middleware<Koa.DefaultState, FoundContext>

/** Trailing slashes and case are significant, as in WordPress. */
export function createFixedAddresses(): FixedAddresses {
  return new Router({ strict: true, sensitive: true })
}

/** The response to a method that a path does not support (RFC 9110, 15.5.6). @param allowed - `GET, HEAD` */
export function methodNotAllowed(allowed: string): RestError {
  const message = 'Method not allowed.'
  return new RestError('method_not_allowed', message, { status: 405 }, { Allow: allowed })
}

/** Runs after the router: responds to a fixed path with an unsupported method. */
export const rejectUnsupportedMethods: Koa.Middleware = (context, next) => {
  const matched: readonly Layer[] = context.matched ?? []
  const methods = new Set(matched.flatMap((layer) => layer.methods))
  if (methods.size === 0 || methods.has(context.method)) return next()
  throw methodNotAllowed([...methods].sort().join(', '))
}
