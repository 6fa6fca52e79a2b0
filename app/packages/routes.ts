import { join } from 'node:path'
import { z } from 'zod'
import type { Auth } from '../../core/auth/types.ts'
import { success } from '../../core/rest/response.ts'
import { successSchema } from '../../core/rest/response-schemas.ts'
import type { Rest } from '../../core/rest/types.ts'
import { permissionsInput } from '../loader/index.ts'
import { invalidPackage } from './errors.ts'
import { MAX_PACKAGE } from './registry.ts'
import { parseSource } from './source.ts'
import type {
  AvailableUpdate,
  InstalledExtension,
  PackageOrigin,
  Packages,
  SearchResult,
  VulnerableExtension,
} from './types.ts'

const installedShape = z.object({
  ...{ id: z.string(), name: z.string(), version: z.string(), previousVersion: z.string().nullable() },
})
const updateShape = z.object({
  ...{ id: z.string(), package: z.string(), version: z.string(), newest: z.string() },
  heldUntil: z.string().nullable(),
})
const vulnerableShape = z.object({
  ...{ id: z.string(), package: z.string(), version: z.string() },
  advisories: z.array(z.object({ id: z.string(), summary: z.string() })),
})
const originShape = z.object({
  ...{ version: z.string(), package: z.string().nullable(), from: z.string(), installed: z.string() },
  integrity: z.string().nullable().describe('The SHA-512 checksum of the file.'),
  signedBy: z.string().nullable().describe('The ID of the registry key whose signature was verified.'),
  hasProvenance: z
    .boolean()
    .describe('Whether the registry has a statement about where the package was built (provenance).'),
  provenance: z.string().nullable().describe('The workflow that built the package, if the statement was verified.'),
})
const ignoreAdvisories = z
  .stringbool()
  .or(z.boolean())
  .default(false)
  .describe('Whether to install a version with known vulnerabilities.')
const resultShape = z.object({
  ...{ name: z.string(), version: z.string(), description: z.string(), date: z.string().nullable() },
  ...{ author: z.string().nullable(), homepage: z.string().nullable(), installedId: z.string().nullable() },
})

/** An installation may download several megabytes, and run `setup` of all extensions. */
const TIME_LIMIT = 180_000

/** Routes that install, update, and remove extensions. All of them require the password, since they change code. */
export function registerPackageRoutes(
  rest: Rest,
  {
    packages,
    auth,
    siteDir,
  }: {
    readonly packages: Packages
    readonly auth: Pick<Auth, 'requireConfirmation' | 'securityLog'>
    readonly siteDir: string
  },
): void {
  const record = (event: string, { id, version }: InstalledExtension) =>
    auth.securityLog.record(event, { detail: { extension: id, version } })

  rest.registerRoute('host/v1', {
    method: 'POST',
    path: '/extensions',
    access: 'install_plugins',
    summary: 'Installs an extension from the registry or from a URL.',
    timeLimit: TIME_LIMIT,
    response: successSchema(installedShape),
    input: z.object({
      package: z
        .string()
        .max(2000)
        .describe('A package name, such as my-extension@^2.0.0, or the HTTPS URL of an archive.'),
      activate: z.boolean().default(false),
      permissions: permissionsInput,
      ignoreAdvisories,
    }),
    async handler({ input: { package: name, ignoreAdvisories: ignoresAdvisories, ...options }, identity }) {
      await auth.requireConfirmation(identity)
      const installed = await packages.install(parseSource(name, false), { ...options, ignoresAdvisories })
      await record('extension_installed', installed)
      return success<InstalledExtension>(installed)
    },
  })
  rest.registerRoute('host/v1', {
    method: 'POST',
    path: '/extensions/upload',
    access: 'upload_plugins',
    summary: 'Installs an extension from an uploaded archive (.tgz, .tar, .zip), or replaces the installed version.',
    timeLimit: TIME_LIMIT,
    upload: { folder: join(siteDir, 'tmp'), maxBytes: MAX_PACKAGE },
    response: successSchema(installedShape),
    input: z.object({ permissions: permissionsInput, ignoreAdvisories }),
    async handler({ input: { permissions, ignoreAdvisories: ignoresAdvisories }, upload, identity }) {
      await auth.requireConfirmation(identity)
      if (!upload) throw invalidPackage('Send the archive in the field "file".')
      const options = { permissions, ignoresAdvisories, from: upload.name.slice(0, 200) }
      const installed = await packages.install({ type: 'path', path: upload.path }, options)
      await record('extension_installed', installed)
      return success<InstalledExtension>(installed)
    },
  })
  rest.registerRoute('host/v1', {
    method: 'POST',
    path: '/extensions/{id}/update',
    access: 'update_plugins',
    summary: 'Updates an extension to the newest version in the registry. `data` is null if there is no newer version.',
    timeLimit: TIME_LIMIT,
    response: successSchema(installedShape.nullable()),
    input: z.object({ id: z.string(), permissions: permissionsInput, ignoreAdvisories }),
    async handler({ input: { id, permissions, ignoreAdvisories: ignoresAdvisories }, identity }) {
      await auth.requireConfirmation(identity)
      const updated = await packages.update(id, { permissions, ignoresAdvisories })
      if (updated) await record('extension_updated', updated)
      return success<InstalledExtension | null>(updated ?? null)
    },
  })
  rest.registerRoute('host/v1', {
    method: 'DELETE',
    path: '/extensions/{id}',
    access: 'delete_plugins',
    summary: 'Deactivates an extension and deletes its files and, with `withData`, its data.',
    timeLimit: TIME_LIMIT,
    response: successSchema(z.object({ deleted: z.literal(true) })),
    input: z.object({ id: z.string(), withData: z.stringbool().or(z.boolean()).default(false) }),
    async handler({ input, identity }) {
      await auth.requireConfirmation(identity)
      await packages.remove(input.id, { withData: input.withData })
      const detail = { extension: input.id, data: input.withData ? 'deleted' : 'kept' }
      await auth.securityLog.record('extension_removed', { detail })
      return success<{ readonly deleted: true }>({ deleted: true })
    },
  })
  rest.registerRoute('host/v1', {
    method: 'GET',
    path: '/extensions/{id}/package',
    access: 'activate_plugins',
    summary:
      'Returns where an extension was installed from and what was verified. `data` is null if it was not installed as a package.',
    response: successSchema(originShape.nullable()),
    input: z.object({ id: z.string() }),
    handler: async ({ input }) => success<PackageOrigin | null>(packages.origin(input.id) ?? null),
  })
  rest.registerRoute('host/v1', {
    method: 'GET',
    path: '/extensions/updates',
    access: 'update_plugins',
    summary: 'Lists the newer versions of the extensions that were installed from the registry.',
    response: successSchema(z.array(updateShape)),
    handler: async () => success<readonly AvailableUpdate[]>(await packages.outdated()),
  })
  rest.registerRoute('host/v1', {
    method: 'GET',
    path: '/extensions/advisories',
    access: 'update_plugins',
    summary: 'Lists the installed extensions with known vulnerabilities, if an advisory database is configured.',
    response: successSchema(z.array(vulnerableShape)),
    handler: async () => success<readonly VulnerableExtension[]>(await packages.vulnerable()),
  })
  rest.registerRoute('host/v1', {
    method: 'GET',
    path: '/extensions/search',
    access: 'install_plugins',
    summary: 'Searches the registry for extensions.',
    response: successSchema(z.array(resultShape)),
    input: z.object({ search: z.string().max(200).default('') }),
    handler: async ({ input }) => success<readonly SearchResult[]>(await packages.search(input.search)),
  })
}
