import type Koa from 'koa'
import type { Dispatcher } from './dispatch.ts'
import type { RestFeatures } from './features.ts'
import type { Registry } from './registry.ts'
import type { Rest } from './types.ts'

/** The REST API as seen by the parts of the product. */
export interface RestHost extends Rest {
  readonly registry: Registry
  readonly dispatcher: Dispatcher
  readonly middleware: Koa.Middleware
  /** URL of the REST root, without a trailing slash. */
  readonly root: string
  addFeatures(features: Partial<RestFeatures>): void
}
