import type { RouteParts } from '../parts.ts'
import { registerMenuItemRoutes } from './items.ts'
import { registerMenuLocationRoutes } from './locations.ts'
import { registerMenuRoutes } from './menus.ts'

/** `wp/v2/menus`, `menu-items` and `menu-locations` in WordPress's shapes. */
export function registerAllMenuRoutes(parts: RouteParts): void {
  registerMenuRoutes(parts)
  registerMenuItemRoutes(parts)
  registerMenuLocationRoutes(parts)
}
