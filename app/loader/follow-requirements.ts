import { STATE_OPTION } from '../../core/extensions/state.ts'
import type { JoiningHost } from '../../core/types.ts'
import { isForExtension } from './requirements.ts'
import type { Loader } from './types.ts'

/**
 * Pauses extensions in a serving process when an extension that they require is paused, and resumes them when it runs again. It cannot be
 * deactivated before them.
 */
export function followRequirements(
  { extensions, hooks, log }: Pick<JoiningHost, 'extensions' | 'hooks' | 'log'>,
  loader: Pick<Loader, 'dependents' | 'unmet'>,
): void {
  async function follow(): Promise<void> {
    for (const { id, state, reason } of extensions.list()) {
      if (state === 'active') continue
      for (const dependent of loader.dependents(id)) {
        const unmet = await loader.unmet(dependent.id)
        if (unmet !== undefined) await extensions.get(dependent.id)?.pause(unmet)
      }
      const isResumed = state === 'paused' && isForExtension(reason) && (await loader.unmet(id)) === undefined
      if (isResumed) await extensions.reload(id)
    }
  }

  hooks.addAction('updated_option', (name) => {
    if (name !== STATE_OPTION) return
    // Not awaited, because the writer of the option waits for this callback.
    follow().catch((error: unknown) => log.debug({ err: error }, 'extension not resumed'))
  })
}
