/**
 * The public face: all that plugins and extensions may import, as `pentad`.
 * The `hooks.ts` of each folder come first, so that an extension's own declarations add to them.
 */

export type * from './auth/types.ts'
export type * from './content/types.ts'
export { RestError } from './errors.ts'
export { defineExtension } from './extensions/define.ts'
export type * from './extensions/types.ts'
export * from './hooks/names.ts'
export type * from './hooks/types.ts'
export type * from './jobs/types.ts'
export type { Logger } from './log.ts'
export type * from './mail/types.ts'
export type * from './options/types.ts'
export { RestResponse, success } from './rest/response.ts'
export type * from './rest/types.ts'
