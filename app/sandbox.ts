/**
 * What sandboxed extensions import, as `pentad/sandbox`: what `pentad` has that a sandbox has too. In the npm package, its types mention
 * neither Node's modules nor its globals, so that code that uses them does not compile.
 */
import { type CheckedPermissions, defineExtension as define, type SandboxDefinition } from '../cms/sandbox/define.ts'

export type {
  CheckedPermissions,
  SandboxDefinition,
  SandboxHost,
  SandboxPost,
  SandboxRequest,
  SandboxResponse,
  SandboxRoute,
  SandboxUser,
} from '../cms/sandbox/define.ts'
export { RestError } from '../core/errors.ts'
export { escapeHtml } from '../core/http/escape-html.ts'
export { RestResponse, success } from '../core/rest/response.ts'
export { successSchema } from '../core/rest/response-schemas.ts'

/**
 * Types a sandboxed extension; returns its argument.
 *
 * @example
 * ```ts
 * import { defineExtension } from 'pentad/sandbox'
 *
 * export default defineExtension({
 *   id: 'signature',
 *   name: 'Signature',
 *   version: '1.0.0',
 *   isolation: 'sandbox',
 *   permissions: { hooks: ['the_content'] },
 *   setup({ hooks }) {
 *     hooks.addFilter('the_content', (html) => `${html}<p>— The editors</p>`)
 *   },
 * })
 * ```
 */
export const defineExtension: <const Permissions extends CheckedPermissions>(
  definition: SandboxDefinition<Permissions>,
) => SandboxDefinition<Permissions> = define
