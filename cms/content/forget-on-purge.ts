import type { Hooks } from '../../core/hooks/types.ts'

/**
 * Calls `forget` with every purge, by this process or another: a page that is rendered afterward must not show what was read before it, or
 * a cache would store that. Changes for which an action fires are forgotten by these actions, also while changes purge nothing.
 */
export function forgetOnPurge(hooks: Pick<Hooks, 'addFilter'>, forget: () => void): void {
  hooks.addFilter('purge_urls', (urls, _purge, isPreview) => {
    if (!isPreview) forget()
    return urls
  })
}
