import { z } from 'zod'
import { RestError } from '../../core/errors.ts'
import type { ExtensionManager } from '../../core/extensions/manager.ts'
import { success } from '../../core/rest/response.ts'
import { successSchema } from '../../core/rest/response-schemas.ts'
import type { Rest } from '../../core/rest/types.ts'
import { permissionItems } from './permissions.ts'
import type { LoadedSandbox } from './types.ts'

const time = z.string().describe('ISO 8601, UTC.')
const sandboxShape = z.object({
  permissions: z.array(
    z.object({
      text: z.string(),
      lastUse: time.nullable().describe('`null`: requested, but not used since the site started.'),
    }),
  ),
  calls: z.int(),
  cpuP95: z.number().nullable().describe('95th percentile of the CPU time per call, in milliseconds.'),
  memory: z.int().describe('Peak memory usage of an instance, in bytes.'),
  kills: z.array(
    z.object({
      time,
      reason: z.enum(['cpu', 'memory', 'crash', 'wall', 'requests']),
      what: z.string(),
      stack: z.string(),
    }),
  ),
  refused: z.array(z.object({ time, what: z.string() })).describe('Requests that Pentad rejected.'),
  hosts: z
    .array(z.object({ host: z.string(), requests: z.int(), lastRequest: time }))
    .describe('Hosts that it sent requests to.'),
})

/** `GET host/v1/extensions/{id}/sandbox`. */
export function registerSandboxRoute(
  rest: Rest,
  sandboxes: { get(id: string): LoadedSandbox | undefined },
  extensions: Pick<ExtensionManager, 'get'>,
): void {
  rest.registerRoute('host/v1', {
    method: 'GET',
    path: '/extensions/{id}/sandbox',
    access: 'activate_plugins',
    summary:
      'Returns the permissions of a sandboxed extension, when each was last used, and the resources that the extension uses.',
    input: z.object({ id: z.string() }),
    response: successSchema(sandboxShape),
    handler({ input }) {
      const found = extensions.get(input.id) && sandboxes.get(input.id)
      if (found === undefined) {
        throw new RestError('extension_not_sandboxed', 'The extension does not run in a sandbox.', { status: 404 })
      }
      const { permissions, usage } = found
      const items = permissionItems(permissions)
      return success({
        ...usage.report(),
        permissions: items.map(({ key, text }) => ({ text, lastUse: usage.lastUse(key) })),
      })
    },
  })
}
