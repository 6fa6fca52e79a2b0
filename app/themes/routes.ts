import { join } from 'node:path'
import { z } from 'zod'
import type { Auth } from '../../core/auth/types.ts'
import { success } from '../../core/rest/response.ts'
import { successSchema } from '../../core/rest/response-schemas.ts'
import type { Rest } from '../../core/rest/types.ts'
import { invalidPackage } from '../packages/errors.ts'
import { MAX_PACKAGE } from '../packages/registry.ts'
import type { InstalledTheme, ThemeFiles } from './types.ts'

/** Routes that install and remove themes. All of them require the password, because templates are code. */
export function registerThemeFileRoutes(
  rest: Rest,
  {
    files,
    auth,
    siteDir,
  }: {
    readonly files: ThemeFiles
    readonly auth: Pick<Auth, 'requireConfirmation' | 'securityLog'>
    readonly siteDir: string
  },
): void {
  rest.registerRoute('host/v1', {
    method: 'POST',
    path: '/themes/upload',
    access: 'upload_themes',
    summary:
      'Installs a theme from an uploaded archive (.zip, .tgz, .tar), or, with `replace`, replaces the installed one.',
    upload: { folder: join(siteDir, 'tmp'), maxBytes: MAX_PACKAGE },
    response: successSchema(z.object({ name: z.string(), replaced: z.boolean() })),
    input: z.object({ replace: z.stringbool().or(z.boolean()).default(false) }),
    async handler({ input: { replace }, upload, identity }) {
      await auth.requireConfirmation(identity)
      if (!upload) throw invalidPackage('Send the archive in the field "file".')
      const installed = await files.install(upload, { replace })
      await auth.securityLog.record('theme_installed', { detail: { theme: installed.name } })
      return success<InstalledTheme>(installed)
    },
  })
  rest.registerRoute('host/v1', {
    method: 'DELETE',
    path: '/themes/{name}',
    access: 'delete_themes',
    summary: 'Deletes the files of a theme that is neither active nor the parent of the active theme.',
    response: successSchema(z.object({ deleted: z.literal(true) })),
    input: z.object({ name: z.string() }),
    async handler({ input: { name }, identity }) {
      await auth.requireConfirmation(identity)
      await files.remove(name)
      await auth.securityLog.record('theme_removed', { detail: { theme: name } })
      return success<{ readonly deleted: true }>({ deleted: true })
    },
  })
}
