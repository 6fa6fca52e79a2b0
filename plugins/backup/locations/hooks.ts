import { callable, type FilterShapes, listOf, membersOf } from 'pentad'
import type { LocationDefinition } from '../types.ts'

declare module 'pentad' {
  interface Filters {
    /**
     * Filters the locations in which archives can be kept. An extension adds its own at the end; one with the id of
     * another takes its place. What is no location is passed over.
     *
     * @param locations - The five of the backup service and what other extensions added.
     * @since 0.1.0
     */
    backup_locations: [locations: readonly LocationDefinition[]]
  }
}

/** What these filters may return at run time. */
export const filterShapes = {
  backup_locations: listOf(
    membersOf<LocationDefinition>(
      { settings: listOf('string') },
      { id: 'string', title: 'string', isConfigured: callable, open: callable },
    ),
  ),
} satisfies FilterShapes
