import { z } from 'zod'
import type { Auth } from '../../core/auth/types.ts'
import { success } from '../../core/rest/response.ts'
import { successSchema } from '../../core/rest/response-schemas.ts'
import type { Rest } from '../../core/rest/types.ts'
import type { ThemeFiles } from './types.ts'

/** Routes that install and remove themes. All of them require the password, because templates are code. */
export function registerThemeFileRoutes(
  rest: Rest,
  { files, auth }: { readonly files: ThemeFiles; readonly auth: Pick<Auth, 'requireConfirmation' | 'securityLog'> },
): void {
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
