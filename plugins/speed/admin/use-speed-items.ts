import { useRead } from 'pentad/admin/api/query.ts'
import type { Responses } from 'pentad/admin/api/responses.ts'

type SpeedItems = Responses['GET /speed/v1/action-items/fetch']

/**
 * What would make the site faster. Its route exists only with an active license, so without one it is not requested:
 * browsers log each 404 as an error.
 */
export function useSpeedItems() {
  const license = useRead<{ readonly active: boolean }>('host/v1/license')
  const items = useRead<SpeedItems>('speed/v1/action-items/fetch', undefined, {
    enabled: license.data?.active === true,
  })
  return { license, items }
}
