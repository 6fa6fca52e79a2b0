import type { FilterShapes } from '../../../core/hooks/shapes.ts'
import { recordOf } from '../../../core/hooks/value-checks.ts'

declare module '../../../core/hooks/names.ts' {
  interface AsyncActions {
    /**
     * Fires after a menu is deleted, or after its name, its items, or their order changes.
     * @param menuId ID of the menu.
     * @since 0.1.0
     */
    wp_update_nav_menu: [menuId: number]
  }

  interface AsyncFilters {
    /**
     * Filters the menu locations. A theme defines its own in `menus.json`.
     * @param locations Labels by the names that templates use: `{ primary: 'Primary menu' }`.
     * @since 0.1.0
     */
    registered_nav_menus: [locations: Readonly<Record<string, string>>]
  }
}

/** What these filters may return at run time. */
export const filterShapes = {
  registered_nav_menus: recordOf('string'),
} satisfies FilterShapes
