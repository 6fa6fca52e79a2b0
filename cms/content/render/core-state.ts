import type { Hooks } from '../../../core/hooks/types.ts'
import { SELF_CLOSING } from '../blocks/register.ts'
import type { SiteSettings } from '../types.ts'

const CORE = 'core'

/**
 * A function that returns the same value while the site's settings and the callbacks of these filters stay the same; `undefined` while any
 * of the callbacks is not core's, because its result may depend on anything. The callbacks of self-closing blocks concern only texts with
 * such a block, which are rendered each time, but only as long as there is a callback.
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
    const lists = [...names, SELF_CLOSING].map(owners)
    if (now !== state[0] || lists.some((list, at) => list !== state[at + 1])) {
      state = [now, ...lists]
      isCoreOnly = lists.slice(0, -1).every((list) => list.every((owner) => owner === CORE))
    }
    return isCoreOnly ? state : undefined
  }
}
