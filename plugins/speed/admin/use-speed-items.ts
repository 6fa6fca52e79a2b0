import type { Answers } from 'pentad/admin/api/answers.ts'
import { useRead } from 'pentad/admin/api/query.ts'

type SpeedItems = Answers['GET /speed/v1/action-items/fetch']

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
