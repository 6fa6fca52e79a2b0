import { readThemeHeader } from './header.ts'
import { DEFAULT_THEME, type Themes } from './theme.ts'

/** Themes whose files pages use: the active one, its parent, and the default theme, which has the templates that others lack. */
export async function themesInUse(themes: Pick<Themes, 'folders'>, active: string): Promise<ReadonlySet<string>> {
  const { template: parent } = await readThemeHeader(themes.folders(active))
  return new Set([active, parent, DEFAULT_THEME])
}
