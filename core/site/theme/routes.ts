import { readdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { success } from '../../rest/response.ts'
import type { Rest } from '../../rest/types.ts'
import { listTheme } from './folder.ts'
import { THEME_NAME, type Themes } from './theme.ts'

/** `GET /host/v1/themes`: the folders that the setting `theme` may name. */
export function registerThemesRoute(rest: Rest, themes: Themes, active: () => string): void {
  rest.registerRoute('host/v1', {
    method: 'GET',
    path: '/themes',
    access: 'switch_themes',
    summary: 'The themes of this site and of the product.',
    async handler() {
      const [site = '', product = ''] = themes.folders('default').map(dirname)
      const [own, others] = await Promise.all([namesIn(site), namesIn(product)])
      const items = [...new Set([...own, ...others])].sort().map((name) => ({
        name,
        active: name === active(),
        /** A folder of the site wins over one of the product. */
        from: own.includes(name) ? 'site' : 'product',
        /** Whether it came with a backup that this site did not sign: to use it needs the current password. */
        isForeign: themes.isForeign(name),
      }))
      return success({ items })
    },
  })
}

/** Folders with a file of a theme in them. */
async function namesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const names = entries.filter((entry) => entry.isDirectory() && THEME_NAME.test(entry.name)).map(({ name }) => name)
  return names.filter((name) => listTheme(`${folder}/${name}`).length > 0)
}
