import { readdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { listTheme } from './folder.ts'
import { THEME_NAME, type Themes } from './theme.ts'

/** An installed theme. */
export interface ThemePlace {
  readonly name: string
  /** Folders of the site override those of the product. */
  readonly from: 'site' | 'product'
}

/** The themes of site and product, by name. */
export async function listThemes(themes: Pick<Themes, 'folders'>): Promise<ThemePlace[]> {
  const [site = '', product = ''] = themes.folders('default').map(dirname)
  const [own, others] = await Promise.all([namesIn(site), namesIn(product)])
  return [...new Set([...own, ...others])]
    .sort()
    .map((name) => ({ name, from: own.includes(name) ? 'site' : 'product' }))
}

/** Folders that contain theme files. */
async function namesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const names = entries.filter((entry) => entry.isDirectory() && THEME_NAME.test(entry.name)).map(({ name }) => name)
  return names.filter((name) => listTheme(`${folder}/${name}`).length > 0)
}
