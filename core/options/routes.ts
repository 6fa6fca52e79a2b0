import { z } from 'zod'
import { RestError } from '../errors.ts'
import { success } from '../rest/response.ts'
import type { Rest, Route } from '../rest/types.ts'
import type { Settings, SettingsRegistry } from './types.ts'

/** `{ "settings": { <key>: <value> } }`, as every settings route takes it (services.md 2.1). */
const settingsBody = z.object({
  settings: z
    .record(z.string(), z.unknown())
    .meta({ description: 'Keys and values to merge over the stored ones; omitted keys keep their values.' }),
})

/**
 * The route by which a service's settings are written: `PUT <namespace>/settings`.
 *
 * @param path - Default `/settings`.
 */
export function settingsRoute(settings: Pick<Settings, 'update'>, path = '/settings'): Route<typeof settingsBody> {
  return {
    method: 'PUT',
    path,
    access: 'manage_options',
    summary: 'Merges the supplied settings over the stored ones.',
    input: settingsBody,
    handler: async ({ input }) => success(await settings.update(input.settings)),
  }
}

/** The settings routes of `host/v1` (contract 2.3). */
export function registerSettingsRoutes(rest: Rest, settings: SettingsRegistry): void {
  rest.registerRoute('host/v1', {
    method: 'GET',
    path: '/settings-schema/{plugin}',
    access: 'manage_options',
    summary: 'JSON Schema of the settings of a service or an extension; never their values.',
    input: z.object({ plugin: z.string() }),
    handler({ input }) {
      const found = settings.get(input.plugin)
      if (!found) throw new RestError('plugin_not_found', 'No plugin with that name has settings.', { status: 404 })
      return success({ schema: found.jsonSchema() })
    },
  })
  rest.registerRoute('host/v1', {
    method: 'PUT',
    path: '/settings/{extension}',
    access: 'manage_options',
    summary: 'Merges the supplied settings of an extension over the stored ones.',
    input: settingsBody.extend({ extension: z.string() }),
    async handler({ input }) {
      const found = settings.get(input.extension)
      if (!found) {
        throw new RestError('extension_not_found', 'No extension with that id has settings.', { status: 404 })
      }
      return success(await found.update(input.settings))
    },
  })
}
