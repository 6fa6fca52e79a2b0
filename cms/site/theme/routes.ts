import { z } from 'zod'
import { successAnswer } from '../../../core/rest/answers.ts'
import { success } from '../../../core/rest/response.ts'
import type { Rest } from '../../../core/rest/types.ts'
import { listThemes } from './list.ts'
import type { Themes } from './theme.ts'

const themeShape = z.object({
  ...{ name: z.string(), active: z.boolean(), from: z.enum(['site', 'product']), isForeign: z.boolean() },
})

/** `GET /host/v1/themes`: the folders that the setting `theme` may name. */
export function registerThemesRoute(rest: Rest, themes: Themes, active: () => string): void {
  rest.registerRoute('host/v1', {
    method: 'GET',
    path: '/themes',
    access: 'switch_themes',
    summary: 'Lists the installed themes.',
    answer: successAnswer(z.object({ items: z.array(themeShape) })),
    async handler() {
      const items = (await listThemes(themes)).map(({ name, from }) => ({
        name,
        active: name === active(),
        from,
        /** Whether it came with a backup that this site did not sign: to use it needs the current password. */
        isForeign: themes.isForeign(name),
      }))
      return success({ items })
    },
  })
}
