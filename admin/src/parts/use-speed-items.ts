import { useRead } from '../api/query.ts'
import { hasService } from '../page-data.ts'
import type { ActionItem } from './action-items.tsx'

interface SpeedItems {
  readonly items: readonly (ActionItem & { readonly setting?: string })[]
}

/**
 * What would make the site faster. Its route exists only with an active license, so without one it is not requested:
 * browsers log each 404 as an error.
 */
export function useSpeedItems() {
  const isOn = hasService('speed')
  const license = useRead<{ readonly active: boolean }>('host/v1/license', undefined, { enabled: isOn })
  const items = useRead<SpeedItems>('speed/v1/action-items/fetch', undefined, {
    enabled: isOn && license.data?.active === true,
  })
  return { license, items }
}
