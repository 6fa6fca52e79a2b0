import Router, { type Layer } from '@koa/router'
import type Koa from 'koa'
import { RestError } from '../errors.ts'

/** The table of the site's fixed addresses, such as `/wp-login.php`: each is there with the methods that it takes. */
export type FixedAddresses = Router

/** What the table tells those that come after it. */
export type FoundContext = ReturnType<Router['routes']> extends Koa.Middleware<infer _, infer Found> ? Found : never
export type ServerMiddleware = Koa.Middleware<Koa.DefaultState, FoundContext>

/** Addresses are told apart by a slash at their end and by case, as in WordPress. */
export function createFixedAddresses(): FixedAddresses {
  return new Router({ strict: true, sensitive: true })
}

/** What an address answers to a method that it does not take (RFC 9110, 15.5.6). @param allowed - `GET, HEAD` */
export function methodNotAllowed(allowed: string): RestError {
  const message = 'Method not allowed.'
  return new RestError('method_not_allowed', message, { status: 405 }, { Allow: allowed })
}

/** Goes after the table: an address that is in it, but not with the method of the request, is answered here. */
export const refuseMethods: Koa.Middleware = (context, next) => {
  const matched: readonly Layer[] = context.matched ?? []
  const methods = new Set(matched.flatMap((layer) => layer.methods))
  if (methods.size === 0 || methods.has(context.method)) return next()
  throw methodNotAllowed([...methods].sort().join(', '))
}
