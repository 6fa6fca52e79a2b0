import { useRead } from '../../api/query.ts'
import { change } from '../../api/rest.ts'
import { LOCATIONS, MENUS, type MenuInfo, type MenuLocation } from './menu.ts'

/**
 * Assigns the header to a menu with its first items, unless the header has a menu, or the menu a location: an empty menu would
 * leave the header empty.
 */
export function useHeaderPlace({ id, locations }: MenuInfo, isEmpty: boolean): () => Promise<void> {
  const places = useRead<Readonly<Record<string, MenuLocation>>>(LOCATIONS)
  const isDue = isEmpty && locations.length === 0 && places.data?.primary?.menu === 0
  return async () => {
    if (isDue) await change('POST', `${MENUS}/${id}`, { locations: ['primary'] })
  }
}
