import { ContentClosed } from '../hooks/errors.ts'
import type { HookRegistry, OwnedHooks } from '../hooks/types.ts'
import type { Logger } from '../log.ts'

/** Blocks the hooks by which the extension `id` protects content, while that should run but does not (fail closed). */
export function createClosedHooks(id: string, { hooks, log }: { hooks: HookRegistry; log: Logger }) {
  let view: OwnedHooks | undefined
  let closed = ''

  /** Dispatches these hooks normally again. */
  function open(): void {
    if (view) log.info({ extension: id }, 'protected content accessible again')
    view?.[Symbol.dispose]()
    view = undefined
    closed = ''
  }

  return {
    /** Makes every dispatch of these hooks throw `ContentClosed`. Returns whether that closes more than before. */
    close(names: readonly string[]): boolean {
      const wanted = names.join(' ')
      if (wanted === closed) return false
      open()
      if (names.length === 0) return false
      closed = wanted
      view = hooks.forOwner({ id, signal: new AbortController().signal, onError: () => {}, onUndefined: () => {} })
      for (const name of names) {
        const rejectAll = () => {
          throw new ContentClosed(name)
        }
        // Before all other callbacks, whose work would be discarded.
        view.addFilter(name, rejectAll, { priority: Number.NEGATIVE_INFINITY, onError: 'closed' })
      }
      log.warn({ extension: id, hooks: names }, 'access to protected content blocked')
      return true
    },
    get isClosed() {
      return view !== undefined
    },
    open,
  }
}
