import type { FilterShapes } from '../../../core/hooks/shapes.ts'
import { recordOf } from '../../../core/hooks/value-checks.ts'

declare module '../../../core/hooks/names.ts' {
  interface AsyncActions {
    /**
     * Fires after a menu changed: its name, an item or the order, or after it was deleted.
     * @param menuId id of the menu
     * @since 0.1.0
     */
    wp_update_nav_menu: [menuId: number]
  }

  interface AsyncFilters {
    /**
     * Filters the menu locations. The theme's own are in its `menus.json`.
     * @param places labels by the names used in templates: `{ primary: 'Primary menu' }`
     * @since 0.1.0
     */
    registered_nav_menus: [places: Readonly<Record<string, string>>]
  }
}

/** What these filters may return at run time. */
export const filterShapes = {
  registered_nav_menus: recordOf('string'),
} satisfies FilterShapes
