import { z } from 'zod'
import { success } from '../../../core/rest/response.ts'
import { successSchema } from '../../../core/rest/response-schemas.ts'
import type { Rest } from '../../../core/rest/types.ts'
import { themesInUse } from './in-use.ts'
import { listThemes } from './list.ts'
import type { Themes } from './theme.ts'

const themeShape = z.object({
  ...{ name: z.string(), active: z.boolean(), from: z.enum(['site', 'product']), isUntrusted: z.boolean() },
  isRemovable: z
    .boolean()
    .describe('Whether the theme can be removed: it is not bundled with Pentad, and the site does not use it.'),
  isForeign: z.boolean().meta({ deprecated: true, description: 'Former name of `isUntrusted`.' }),
})

/** `GET /host/v1/themes`: valid values of the `theme` setting. */
export function registerThemesRoute(rest: Rest, themes: Themes, active: () => string): void {
  rest.registerRoute('host/v1', {
    method: 'GET',
    path: '/themes',
    access: 'switch_themes',
    summary: 'Lists the installed themes.',
    response: successSchema(z.object({ items: z.array(themeShape) })),
    async handler() {
      const inUse = await themesInUse(themes, active())
      const items = (await listThemes(themes)).map(({ name, from }) => ({
        name,
        active: name === active(),
        from,
        /** Whether it came with a backup not signed by this site: activating it requires the current password. */
        isUntrusted: themes.isUntrusted(name),
        isForeign: themes.isUntrusted(name),
        isRemovable: from === 'site' && !inUse.has(name),
      }))
      return success({ items })
    },
  })
}
