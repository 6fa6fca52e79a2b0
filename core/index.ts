/**
 * The public API of the host: what extensions import from `pentad/host` without the CMS, and part of `pentad` on a site. It
 * includes the `hooks.ts` of each folder, so that extensions see the host's hooks and can declare their own.
 */
import './http/response-watch.ts'
import './auth/hooks.ts'
import './extensions/hooks.ts'
import './lifecycle.ts'
import './options/hooks.ts'
import './rest/hooks.ts'

export * from './auth/capability-names.ts'
export type { CurrentUser } from './auth/current-user.ts'
export { oneLine } from './auth/text.ts'
export type * from './auth/types.ts'
export { fromGmt, toGmt } from './database/gmt.ts'
export type { Database, DatabaseKind, DatabasePlace } from './database/index.ts'
export { RestError } from './errors.ts'
export { defineExtension } from './extensions/define.ts'
export type * from './extensions/types.ts'
export { type AtomicWriteOptions, writeAtomically } from './files/atomic-write.ts'
export { flushFolder, flushFolderSync } from './files/flush-folder.ts'
export * from './hooks/names.ts'
export type { FilterShape, FilterShapes, ShapeOf, ValueSchema } from './hooks/shapes.ts'
export type * from './hooks/types.ts'
export {
  type Check,
  type ContentsCheck,
  callable,
  finiteNumber,
  headers,
  json,
  listOf,
  membersOf,
  oneOf,
  orNull,
  recordOf,
} from './hooks/value-checks.ts'
export type { ValueKind } from './hooks/value-kind.ts'
export { networkOf } from './http/client-address.ts'
export { readCookie } from './http/cookie.ts'
export { escapeHtml } from './http/escape-html.ts'
export type { Front, FrontHandler, ReadyHandler, ReadyResponse, RenderedResponse, RequestHead } from './http/front.ts'
export { isHandlingRequest } from './http/request-context.ts'
export type { CompletedRequest } from './http/response-watch.ts'
export type { Logger } from './log.ts'
export type * from './options/types.ts'
export type { Owner, Staged } from './owner.ts'
export { RestResponse, success } from './rest/response.ts'
export { paginatedSchema, type ResponseOf, successSchema } from './rest/response-schemas.ts'
export type * from './rest/types.ts'
