import type { Answers } from '../../api/answers.ts'

/** A menu as `wp/v2/menus` returns it. */
export type MenuInfo = Answers['Menus']

/** A menu item as `wp/v2/menu-items` returns it to an editor. */
export type MenuItemInfo = Answers['MenuItems']

export type MenuLocation = Answers['GET /wp/v2/menu-locations'][string]

export const MENUS = 'wp/v2/menus'
export const ITEMS = 'wp/v2/menu-items'
export const LOCATIONS = 'wp/v2/menu-locations'
