import { z } from 'zod'
import type { Auth, Identity } from '../../core/auth/types.ts'
import type { ExtensionManager } from '../../core/extensions/manager.ts'
import type { ExtensionReport } from '../../core/extensions/types.ts'
import { success } from '../../core/rest/response.ts'
import { type ResponseOf, successSchema } from '../../core/rest/response-schemas.ts'
import type { Rest } from '../../core/rest/types.ts'

const SUMMARIES = {
  activate: 'Activates an extension.',
  deactivate: 'Deactivates an extension.',
  reload: 'Replaces the running version of an extension with the one on disk.',
}

const names = z.array(z.string())
const reportShape = z.object({
  ...{ id: z.string(), name: z.string(), version: z.string(), description: z.string() },
  state: z.enum(['active', 'inactive', 'paused']),
  ...{ isService: z.boolean(), pro: z.boolean(), reason: z.string().nullable(), isUntrusted: z.boolean() },
  isForeign: z.boolean().meta({ deprecated: true, description: 'Former name of `isUntrusted`.' }),
  ...{ hooks: names, routes: names, abilities: names, jobs: names, pages: names, hasSettings: z.boolean() },
  isSandboxed: z.boolean().describe('Whether it runs in a sandbox: see `/extensions/{id}/sandbox`.'),
})

type Report = ResponseOf<typeof reportShape>

/** `GET host/v1/extensions` and `POST host/v1/extensions/{id}/activate|deactivate|reload`. */
export function registerExtensionRoutes(
  rest: Rest,
  {
    extensions,
    auth,
    isSandboxed,
  }: {
    extensions: ExtensionManager
    auth: Pick<Auth, 'requireConfirmation' | 'securityLog'>
    /** Whether an extension runs in a sandbox. */
    isSandboxed: (id: string) => boolean
  },
): void {
  const toResponse = (report: ExtensionReport): Report => ({
    ...report,
    isForeign: report.isUntrusted,
    isSandboxed: isSandboxed(report.id),
  })

  rest.registerRoute('host/v1', {
    method: 'GET',
    path: '/extensions',
    access: 'activate_plugins',
    summary: 'Lists the extensions with their states.',
    response: successSchema(z.array(reportShape)),
    async handler() {
      await extensions.discover()
      return success<readonly Report[]>(extensions.list().map(toResponse))
    },
  })
  const switches = {
    activate: (id: string, identity: Identity) => extensions.activate(id, () => auth.requireConfirmation(identity)),
    deactivate: extensions.deactivate,
    async reload(id: string) {
      const report = await extensions.reload(id)
      await auth.securityLog.record('extension_reloaded', { detail: { extension: id } })
      return report
    },
  }
  for (const action of ['activate', 'deactivate', 'reload'] as const) {
    rest.registerRoute('host/v1', {
      method: 'POST',
      path: `/extensions/{id}/${action}`,
      access: 'activate_plugins',
      summary: SUMMARIES[action],
      response: successSchema(reportShape),
      input: z.object({ id: z.string() }),
      handler: async ({ input, identity }) => success(toResponse(await switches[action](input.id, identity))),
    })
  }
}
