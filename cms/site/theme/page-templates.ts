import type { Hooks } from '../../../core/hooks/types.ts'
import type { Theme } from './theme.ts'

const FOLDER = 'page-templates/'

/** Offers authors the templates in the theme's folder `page-templates`, as `theme_templates` asks for them. */
export function offerPageTemplates(hooks: Hooks, openTheme: () => Promise<Theme | undefined>): void {
  hooks.addFilter('theme_templates', async function themeTemplates(templates) {
    const theme = await openTheme()
    const own = (theme?.templates ?? [])
      .filter((name) => name.startsWith(FOLDER))
      .map((name) => name.slice(FOLDER.length))
    return { ...templates, ...Object.fromEntries(own.map((name) => [name, titleOf(name)])) }
  })
}

/** Tells which places for menus the theme has. */
export function offerMenuPlaces(hooks: Hooks, openTheme: () => Promise<Theme | undefined>): void {
  hooks.addFilter('registered_nav_menus', async function menuPlaces(places) {
    return { ...(await openTheme())?.menus, ...places }
  })
}

function titleOf(name: string): string {
  const words = name.replace(/[-_]+/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
