import { z } from 'zod'
import { success } from '../rest/response.ts'
import type { Rest } from '../rest/types.ts'
import type { ExtensionManager } from './index.ts'

const ACTIONS = ['activate', 'deactivate', 'reload'] as const

const SUMMARIES = {
  activate: 'Switches an extension on.',
  deactivate: 'Switches an extension off.',
  reload: 'Replaces the running version of an extension by the one on the disk.',
}

/** `GET host/v1/extensions` and `POST host/v1/extensions/{id}/activate|deactivate|reload` (contract 2.3). */
export function registerExtensionRoutes(rest: Rest, extensions: ExtensionManager): void {
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
  for (const action of ACTIONS) {
    rest.registerRoute('host/v1', {
      method: 'POST',
      path: `/extensions/{id}/${action}`,
      access: 'activate_plugins',
      summary: SUMMARIES[action],
      input: z.object({ id: z.string() }),
      handler: async ({ input }) => success(await extensions[action](input.id)),
    })
  }
}
