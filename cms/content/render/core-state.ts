import type { Hooks } from '../../../core/hooks/types.ts'
import type { SiteSettings } from '../types.ts'

const CORE = 'core'

/**
 * A function that returns the same value while the site's settings and the callbacks of these filters stay the same; `undefined` while any
 * of the callbacks is not core's, because its result may depend on anything.
 */
export function createCoreState(
  { owners }: Pick<Hooks, 'owners'>,
  settings: () => SiteSettings,
  names: readonly string[],
): () => object | undefined {
  let state: readonly unknown[] = []
  let isCoreOnly = false
  return () => {
    const now = settings()
    const lists = names.map(owners)
    if (now !== state[0] || lists.some((list, at) => list !== state[at + 1])) {
      state = [now, ...lists]
      isCoreOnly = lists.every((list) => list.every((owner) => owner === CORE))
    }
    return isCoreOnly ? state : undefined
  }
}
