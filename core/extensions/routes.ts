import { z } from 'zod'
import type { Auth, Identity } from '../auth/types.ts'
import { success } from '../rest/response.ts'
import type { Rest } from '../rest/types.ts'
import type { ExtensionManager } from './index.ts'

const SUMMARIES = {
  activate: 'Switches an extension on.',
  deactivate: 'Switches an extension off.',
  reload: 'Replaces the running version of an extension by the one on the disk.',
}

/** `GET host/v1/extensions` and `POST host/v1/extensions/{id}/activate|deactivate|reload` (contract 2.3). */
export function registerExtensionRoutes(
  rest: Rest,
  { extensions, auth }: { extensions: ExtensionManager; auth: Pick<Auth, 'requireConfirmation' | 'securityLog'> },
): void {
  rest.registerRoute('host/v1', {
    method: 'GET',
    path: '/extensions',
    access: 'activate_plugins',
    summary: 'Every extension with its state.',
    async handler() {
      await extensions.discover()
      return success(extensions.list())
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
      input: z.object({ id: z.string() }),
      handler: async ({ input, identity }) => success(await switches[action](input.id, identity)),
    })
  }
}
