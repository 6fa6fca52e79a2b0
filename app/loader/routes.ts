import { z } from 'zod'
import type { AskedPermissions, Sandboxes } from '../../cms/sandbox/index.ts'
import type { Auth, Identity } from '../../core/auth/types.ts'
import { RestError } from '../../core/errors.ts'
import type { ExtensionManager } from '../../core/extensions/manager.ts'
import type { ExtensionReport } from '../../core/extensions/types.ts'
import { success } from '../../core/rest/response.ts'
import { type ResponseOf, successSchema } from '../../core/rest/response-schemas.ts'
import type { Rest } from '../../core/rest/types.ts'
import type { Source } from './discover.ts'
import type { Loader } from './types.ts'

const SUMMARIES = {
  activate: 'Activates an extension.',
  deactivate: 'Deactivates an extension.',
}

const names = z.array(z.string())
const reportShape = z.object({
  ...{ id: z.string(), name: z.string(), version: z.string(), description: z.string() },
  state: z.enum(['active', 'inactive', 'paused']),
  ...{ isService: z.boolean(), pro: z.boolean(), reason: z.string().nullable(), isUntrusted: z.boolean() },
  isForeign: z.boolean().meta({ deprecated: true, description: 'Former name of `isUntrusted`.' }),
  ...{ hooks: names, routes: names, abilities: names, jobs: names, pages: names, hasSettings: z.boolean() },
  isSandboxed: z.boolean().describe('Whether it runs in a sandbox: see `/extensions/{id}/sandbox`.'),
  isolation: z
    .enum(['process', 'sandbox', 'optional'])
    .describe('Where it can run. With `optional`, an administrator chooses: see `/extensions/{id}/isolation`.'),
})

type Report = ResponseOf<typeof reportShape>

/** Input with permissions that the administrator saw and allows in addition to those consented to. */
export const permissionsInput = z
  .array(z.string().max(1000))
  .max(500)
  .default([])
  .describe('The additional permissions to grant, exactly as listed in `added` of the error.')

const askedShape = z.object({
  permissions: names.nullable().describe('What it may do in its sandbox; `null` if it runs without one.'),
  added: names.describe('Which of these permissions no administrator has granted yet.'),
})

/** `GET host/v1/extensions`, and the routes of a single extension. */
export function registerExtensionRoutes(
  rest: Rest,
  {
    extensions,
    auth,
    loader,
    sandboxes,
  }: {
    extensions: ExtensionManager
    auth: Pick<Auth, 'requireConfirmation' | 'securityLog'>
    loader: Pick<Loader, 'ask' | 'find' | 'isolationOf' | 'share'>
    sandboxes: Pick<Sandboxes, 'allow' | 'choose'>
  },
): void {
  const toResponse = (report: ExtensionReport): Report => ({
    ...report,
    isForeign: report.isUntrusted,
    ...loader.isolationOf(report.id),
  })

  const reportOf = (id: string) => extensions.list().find((one) => one.id === id)

  async function find(id: string): Promise<Source> {
    await extensions.discover()
    const source = loader.find(id)
    if (source) return source
    throw new RestError('extension_not_found', 'No extension has that ID.', { status: 404 })
  }

  /** @param permissions - What it may do in addition; forgotten if it fails. */
  async function reload(id: string, permissions: readonly string[]): Promise<ExtensionReport> {
    const forget = await sandboxes.allow(id, permissions)
    await loader.share(id)
    const report = await extensions.reload(id).catch(async (error: unknown) => {
      await forget()
      throw error
    })
    await auth.securityLog.record('extension_reloaded', { detail: { extension: id } })
    return report
  }

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
  rest.registerRoute('host/v1', {
    method: 'GET',
    path: '/extensions/{id}/permissions',
    access: 'activate_plugins',
    summary:
      'Returns the sandbox permissions that an extension requests, and which of them are new. The extension does not need to be active.',
    response: successSchema(askedShape),
    input: z.object({ id: z.string() }),
    handler: async ({ input }) => success<AskedPermissions>(await loader.ask(await find(input.id))),
  })
  rest.registerRoute('host/v1', {
    method: 'POST',
    path: '/extensions/{id}/reload',
    access: 'activate_plugins',
    summary: 'Replaces the running version of an extension with the one on disk.',
    response: successSchema(reportShape),
    input: z.object({ id: z.string(), permissions: permissionsInput }),
    handler: async ({ input: { id, permissions } }) => success(toResponse(await reload(id, permissions))),
  })
  rest.registerRoute('host/v1', {
    method: 'POST',
    path: '/extensions/{id}/isolation',
    access: 'activate_plugins',
    summary:
      'Switches an extension between running in a sandbox and running without one, if it supports both. An active extension is reloaded.',
    response: successSchema(z.object({ sandbox: z.boolean() })),
    input: z.object({ id: z.string(), sandbox: z.boolean() }),
    async handler({ input: { id, sandbox } }) {
      const source = await find(id)
      if (source.isolation !== 'optional') {
        const message = 'The extension does not let you choose whether it runs in a sandbox.'
        throw new RestError('extension_isolation_fixed', message, { status: 409 })
      }
      const { isSandboxed } = loader.isolationOf(id)
      await sandboxes.choose(id, sandbox)
      try {
        if (reportOf(id)?.state !== 'inactive') await reload(id, (await loader.ask(source)).added)
      } catch (error) {
        await sandboxes.choose(id, isSandboxed)
        throw error
      }
      return success({ sandbox })
    },
  })
  const switches = {
    activate: (id: string, identity: Identity) => extensions.activate(id, () => auth.requireConfirmation(identity)),
    deactivate: extensions.deactivate,
  }
  for (const action of ['activate', 'deactivate'] as const) {
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
