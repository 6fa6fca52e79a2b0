import type { HookRegistry } from '../hooks/types.ts'
import type { Logger } from '../log.ts'
import type { Options } from '../options/types.ts'
import { createClosedHooks } from './closed-hooks.ts'
import { createProtectedHooks } from './protected-hooks.ts'
import { readState, type StoredState, writeProtects } from './state.ts'

/** Content that an extension protects with `onError: 'closed'`: closed while the extension should run but does not. @param stored - Its stored state, or the default. */
export function createProtection(
  id: string,
  { hooks, options, log, siteDir }: { hooks: HookRegistry; options: Options; log: Logger; siteDir: string },
  { isRunning, stored }: { isRunning: () => boolean; stored: () => StoredState },
) {
  const closedHooks = createClosedHooks(id, { hooks, log })
  const protectedHooks = createProtectedHooks(siteDir, id)

  const inState = () => readState(options, id)?.protects ?? []

  function known(): string[] {
    return [...new Set([...inState(), ...protectedHooks.list()])]
  }

  function registered(): string[] {
    return hooks
      .inspect()
      .filter(({ listeners }) => listeners.some(({ owner, onError }) => owner === id && onError === 'closed'))
      .map(({ name }) => name)
  }

  return {
    /** Closes the hooks by which it protects content, or did in its last run. Returns whether that closes more than before. */
    close: () => closedHooks.close(isRunning() ? registered() : known()),
    get isClosed() {
      return closedHooks.isClosed
    },
    open: closedHooks.open,
    /** Records these hooks immediately, since the process may end at any moment. */
    record() {
      const before = known()
      for (const hook of registered()) if (!before.includes(hook)) protectedHooks.add(hook)
    },
    /** Stores these hooks for the next start, which may fail before `setup` has registered them. */
    async store() {
      if (!isRunning()) return
      const now = registered()
      if (now.join(' ') !== inState().join(' ')) await writeProtects(options, id, stored(), now)
      protectedHooks.remove(now)
    },
  }
}
