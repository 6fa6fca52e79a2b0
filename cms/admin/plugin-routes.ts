import { z } from 'zod'
import type { Auth } from '../../core/auth/types.ts'
import { RestError } from '../../core/errors.ts'
import type { ExtensionManager } from '../../core/extensions/manager.ts'
import type { ExtensionReport } from '../../core/extensions/types.ts'
import type { Hooks } from '../../core/hooks/types.ts'
import { escapeHtml } from '../../core/http/escape-html.ts'
import { RestResponse } from '../../core/rest/response.ts'
import type { ResponseOf } from '../../core/rest/response-schemas.ts'
import type { AccessRequest, Rest, RestRequest } from '../../core/rest/types.ts'
import { filterShapes } from './hooks.ts'

const NAMESPACE = 'wp/v2'
/** Milliseconds for a download and an activation. */
const INSTALLATION_TIME = 180_000
/** WordPress names plugins `folder/file`; extensions have only an id. */
const ITEM = '/plugins/{plugin:[^./]+}'

type Context = 'view' | 'embed' | 'edit'

const context = z
  .enum(['view', 'embed', 'edit'])
  .default('view')
  .describe('Scope under which the request is made; determines fields present in response.')
const status = z.enum(['inactive', 'active'])
const plugin = z.string().describe('The plugin to retrieve, update, or delete.')

const listSchema = z.object({
  context,
  search: z.string().max(1000).optional().describe('Limit results to those matching a string.'),
  status: z.array(status).optional().describe('Limits results to plugins with the given status.'),
})
const itemSchema = z.object({ plugin, context })
const createSchema = z.object({
  slug: z.string().describe('WordPress.org plugin directory slug.'),
  status: status.default('inactive').describe('The plugin activation status.'),
})
const updateSchema = z.object({ plugin, context, status: status.optional().describe('The plugin activation status.') })

const text = z.string()
const fieldsShape = z.object({
  ...{ plugin: text, status, name: text, network_only: z.boolean(), requires_wp: text, requires_php: text },
  ...{ plugin_uri: text.optional(), author: text.optional(), author_uri: text.optional() },
  description: z.object({ raw: text, rendered: text }).optional(),
  ...{ version: text.optional(), textdomain: text.optional() },
})
/** Extensions may add properties (`rest_prepare_plugin`). */
const pluginShape = z
  .looseObject({ ...fieldsShape.shape, _links: z.record(z.string(), z.array(z.object({ href: text }))) })
  .meta({ id: 'Plugins' })
/** After the `rest_prepare_plugin` filter. */
const filteredShape: z.ZodType = pluginShape

type Plugin = ResponseOf<typeof pluginShape>

/** Installs and deletes extensions. */
export interface PluginFiles {
  /** Resolves to the id of the extension. @param slug - The name of a package. @throws RestError */
  install(slug: string): Promise<string>
  /** @throws RestError */
  remove(id: string): Promise<void>
}

/**
 * `wp/v2/plugins`: the extensions in WordPress's format. Installing and deleting them requires the current password, as does activating one
 * that came with a backup of another site.
 */
export function registerPluginRoutes(
  rest: Rest,
  {
    extensions,
    auth,
    hooks,
    files,
  }: {
    readonly extensions: ExtensionManager
    readonly auth: Pick<Auth, 'can' | 'requireConfirmation'>
    readonly hooks: Hooks
    readonly files: PluginFiles
  },
): void {
  hooks.declareFilters(filterShapes)
  const url = (id: string) => rest.url(`/${NAMESPACE}/plugins/${id}`)

  function may(capability: string, code: string, what: string) {
    return async ({ can, user }: AccessRequest): Promise<boolean> => {
      if (await can(capability)) return true
      const message = `Sorry, you are not allowed to ${what} for this site.`
      throw new RestError(code, message, { status: user ? 403 : 401 })
    }
  }

  async function all(): Promise<ExtensionReport[]> {
    await extensions.discover()
    return extensions.list()
  }

  async function find(id: string): Promise<ExtensionReport> {
    const report = (await all()).find((one) => one.id === id)
    if (report) return report
    throw new RestError('rest_plugin_not_found', 'Plugin not found.', { status: 404 })
  }

  async function prepare(report: ExtensionReport, request: RestRequest, view: Context): Promise<unknown> {
    const data: Plugin = { ...fieldsOf(report, view), _links: { self: [{ href: url(report.id) }] } }
    return hooks.applyFiltersAsync('rest_prepare_plugin', data, report, request)
  }

  rest.registerRoute(NAMESPACE, {
    method: 'GET',
    path: '/plugins',
    summary: 'Lists extensions.',
    access: may('activate_plugins', 'rest_cannot_view_plugins', 'manage plugins'),
    response: z.array(filteredShape),
    input: listSchema,
    async handler(request) {
      const { search = '', status: wanted, context: view } = request.input
      const words = search.toLowerCase()
      const found = (await all()).filter(
        (report) =>
          (!wanted?.length || wanted.includes(statusOf(report))) &&
          [report.id, report.name, report.description].some((text) => text.toLowerCase().includes(words)),
      )
      return Promise.all(found.map((report) => prepare(report, request, view)))
    },
  })

  rest.registerRoute(NAMESPACE, {
    method: 'POST',
    path: '/plugins',
    summary: 'Installs an extension from the registry; `slug` is the name of the package.',
    access: may('install_plugins', 'rest_cannot_install_plugin', 'install plugins'),
    response: filteredShape,
    input: createSchema,
    timeLimit: INSTALLATION_TIME,
    async handler(request) {
      const { slug, status: wanted } = request.input
      if (wanted === 'active' && !(await auth.can(request.user, 'activate_plugins'))) {
        const message = 'Sorry, you are not allowed to activate plugins.'
        throw new RestError('rest_cannot_activate_plugin', message, { status: 403 })
      }
      await auth.requireConfirmation(request.identity)
      const id = await files.install(slug)
      const report = wanted === 'active' ? await extensions.activate(id) : await find(id)
      const headers = { Location: url(id) }
      return new RestResponse(await prepare(report, request, 'edit'), { status: 201, headers })
    },
  })

  rest.registerRoute(NAMESPACE, {
    method: 'GET',
    path: ITEM,
    summary: 'Returns an extension.',
    access: may('activate_plugins', 'rest_cannot_view_plugin', 'manage plugins'),
    response: filteredShape,
    input: itemSchema,
    handler: async (request) => prepare(await find(request.input.plugin), request, request.input.context),
  })

  rest.registerRoute(NAMESPACE, {
    method: ['POST', 'PUT', 'PATCH'],
    path: ITEM,
    summary: 'Activates or deactivates an extension.',
    access: may('activate_plugins', 'rest_cannot_manage_plugins', 'manage plugins'),
    response: filteredShape,
    input: updateSchema,
    async handler(request) {
      const { plugin: id, status: wanted } = request.input
      let report = await find(id)
      if (wanted === 'active' && report.state !== 'active') {
        report = await extensions.activate(id, () => auth.requireConfirmation(request.identity))
      }
      if (wanted === 'inactive' && report.state !== 'inactive') report = await extensions.deactivate(id)
      return prepare(report, request, 'edit')
    },
  })

  rest.registerRoute(NAMESPACE, {
    method: 'DELETE',
    path: ITEM,
    summary: 'Deletes the files of an inactive extension.',
    access: may('delete_plugins', 'rest_cannot_manage_plugins', 'delete plugins'),
    response: z.object({ deleted: z.literal(true), previous: filteredShape }),
    input: z.object({ plugin }),
    async handler(request) {
      const { identity, input } = request
      const report = await find(input.plugin)
      if (report.state === 'active') {
        const message = 'Cannot delete an active plugin. Please deactivate it first.'
        throw new RestError('rest_cannot_delete_active_plugin', message, { status: 400 })
      }
      await auth.requireConfirmation(identity)
      const previous = await prepare(report, request, 'edit')
      await files.remove(report.id)
      return { deleted: true, previous } as const
    },
  })
}

/** A paused extension does not run, whatever its requested state. */
function statusOf({ state }: ExtensionReport): 'active' | 'inactive' {
  return state === 'active' ? 'active' : 'inactive'
}

/** WordPress's fields in WordPress's order; properties that an extension does not declare are empty. */
function fieldsOf(report: ExtensionReport, view: Context): ResponseOf<typeof fieldsShape> {
  const { id, name, description, version } = report
  const raw = report.reason === null ? description : `${description}\n\n${report.reason}`.trim()
  const short = { plugin: id, status: statusOf(report), name }
  const requirements = { network_only: false, requires_wp: '', requires_php: '' }
  if (view === 'embed') return { ...short, ...requirements }
  return {
    ...short,
    ...{ plugin_uri: '', author: '', author_uri: '' },
    description: { raw, rendered: escapeHtml(raw) },
    version,
    ...requirements,
    textdomain: id,
  }
}
