import { z } from 'zod'
import { RestError } from '../../core/errors.ts'
import type { Settings, SettingsRegistry } from '../../core/options/types.ts'
import { RestResponse, success } from '../../core/rest/response.ts'
import { successSchema } from '../../core/rest/response-schemas.ts'
import type { Rest, RestRequest, Route } from '../../core/rest/types.ts'

/** `{ "settings": { <key>: <value> } }`, as every settings route takes it (services.md 2.1). */
const recordName = z.string().describe('Name of the record, or ID of the extension.')
const settingsBody = z.object({
  settings: z.record(z.string(), z.unknown()).meta({ description: 'Settings to update; omitted keys stay unchanged.' }),
})

const updateResponse = successSchema(z.object({ updated: z.array(z.string()), unknown: z.array(z.string()) }))

/** Updates settings for a route: returns the new version in `ETag`, and honors `If-Match`. */
async function write(
  settings: Pick<Settings, 'updateVersion'>,
  { headers }: Pick<RestRequest, 'headers'>,
  changes: Readonly<Record<string, unknown>>,
): Promise<RestResponse<z.infer<typeof updateResponse>>> {
  const { version, ...result } = await settings.updateVersion(changes, readIfMatch(headers['if-match']))
  return new RestResponse(success(result), { headers: { ETag: `"${version}"` } })
}

/**
 * The versions in `If-Match`; `undefined` if any version is accepted (RFC 9110, 13.1.1). Weak validators are accepted, because proxies that
 * compress make strong ones weak.
 */
function readIfMatch(header: string | undefined): string[] | undefined {
  if (header === undefined || header.trim() === '*') return undefined
  return [...header.matchAll(/"([^"]*)"/g)].map(([, version = '']) => version)
}

/** The route that updates a service's settings: `PUT <namespace>/settings`. Supports `ETag` and `If-Match` against lost updates. */
export function settingsRoute(
  settings: Pick<Settings, 'updateVersion'>,
  path = '/settings',
): Route<typeof settingsBody, string, typeof updateResponse> {
  return {
    method: 'PUT',
    path,
    access: 'manage_options',
    summary: 'Updates settings.',
    input: settingsBody,
    response: updateResponse,
    handler: (request) => write(settings, request, request.input.settings),
  }
}

/** The settings routes of `host/v1`. */
export function registerSettingsRoutes(rest: Rest, settings: SettingsRegistry): void {
  function find(name: string): Settings {
    const found = settings.get(name)
    if (!found) throw new RestError('extension_not_found', 'No extension with that ID has settings.', { status: 404 })
    return found
  }

  rest.registerRoute('host/v1', {
    method: 'GET',
    path: '/settings-schema/{extension}',
    access: 'manage_options',
    summary:
      'Returns the JSON Schema of a settings record, without its values. The record is `host`, `discussion`, `embeds`, or the ID of an extension.',
    response: successSchema(z.object({ schema: z.record(z.string(), z.unknown()) })),
    input: z.object({ extension: recordName }),
    handler({ input }) {
      return success({ schema: find(input.extension).jsonSchema() })
    },
  })
  rest.registerRoute('host/v1', {
    method: 'PUT',
    path: '/settings/{extension}',
    access: 'manage_options',
    summary: 'Updates a settings record: `host`, `discussion`, `embeds`, or the ID of an extension.',
    input: settingsBody.extend({ extension: recordName }),
    response: updateResponse,
    async handler(request) {
      const { input } = request
      return write(find(input.extension), request, input.settings)
    },
  })
}
