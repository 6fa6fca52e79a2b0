import { callable, type FilterShapes, listOf, membersOf } from 'pentad'
import type { LocationDefinition } from '../types.ts'

declare module 'pentad' {
  interface Filters {
    /**
     * Filters the storage locations for backups. Extensions append their own; a location with an existing ID replaces
     * the earlier one. Invalid entries are ignored.
     *
     * @param locations - The five built-in locations and those of other extensions.
     * @since 0.1.0
     */
    backup_locations: [locations: readonly LocationDefinition[]]
  }
}

/** Runtime checks of the values that these filters return. */
export const filterShapes = {
  backup_locations: listOf(
    membersOf<LocationDefinition>(
      { settings: listOf('string') },
      { id: 'string', title: 'string', isConfigured: callable, open: callable },
    ),
  ),
} satisfies FilterShapes
