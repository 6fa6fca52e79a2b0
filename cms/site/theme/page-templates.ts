import type { Hooks } from '../../../core/hooks/types.ts'
import type { Theme } from './theme.ts'

const FOLDER = 'page-templates/'

/** Offers the templates in the `page-templates` folder of the theme, through `theme_templates`. */
export function offerPageTemplates(hooks: Hooks, openTheme: () => Promise<Theme | undefined>): void {
  hooks.addFilter('theme_templates', async function themeTemplates(templates) {
    const theme = await openTheme()
    const own = (theme?.templates ?? [])
      .filter((name) => name.startsWith(FOLDER))
      .map((name) => name.slice(FOLDER.length))
    return { ...templates, ...Object.fromEntries(own.map((name) => [name, titleOf(name)])) }
  })
}

/** Provides the menu locations of the theme. */
export function offerMenuPlaces(hooks: Hooks, openTheme: () => Promise<Theme | undefined>): void {
  hooks.addFilter('registered_nav_menus', async function menuPlaces(places) {
    return { ...(await openTheme())?.menus, ...places }
  })
}

function titleOf(name: string): string {
  const words = name.replace(/[-_]+/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
