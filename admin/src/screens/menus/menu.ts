import type { Responses } from '../../api/responses.ts'

/** A menu as `wp/v2/menus` returns it. */
export type MenuInfo = Responses['Menus']

/** A menu item as `wp/v2/menu-items` returns it to an editor. */
export type MenuItemInfo = Responses['MenuItems']

export type MenuLocation = Responses['GET /wp/v2/menu-locations'][string]

export const MENUS = 'wp/v2/menus'
export const ITEMS = 'wp/v2/menu-items'
export const LOCATIONS = 'wp/v2/menu-locations'
