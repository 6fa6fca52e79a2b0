import { ContentClosed } from '../hooks/errors.ts'
import type { HookRegistry, OwnedHooks } from '../hooks/types.ts'
import type { Logger } from '../log.ts'

/** Keeps closed what an extension protects while it should run and does not. */
export interface ClosedHooks {
  /** From now on every dispatch of these hooks ends with `ContentClosed`. Returns whether that closes more than before. */
  close(hooks: readonly string[]): boolean
  readonly isClosed: boolean
  /** They are dispatched as ever again. */
  open(): void
}

/** @param id of the extension in whose place the hooks refuse */
export function createClosedHooks(id: string, { hooks, log }: { hooks: HookRegistry; log: Logger }): ClosedHooks {
  let view: OwnedHooks | undefined
  let closed = ''

  function open(): void {
    if (view) log.info({ extension: id }, 'protected content reopened')
    view?.[Symbol.dispose]()
    view = undefined
    closed = ''
  }

  return {
    close(names) {
      const wanted = names.join(' ')
      if (wanted === closed) return false
      open()
      if (names.length === 0) return false
      closed = wanted
      view = hooks.forOwner({ id, signal: new AbortController().signal, onError: () => {}, onUndefined: () => {} })
      for (const name of names) {
        const refuse = () => {
          throw new ContentClosed(name)
        }
        // Before all others: what they made of the content is shown to nobody.
        view.addFilter(name, refuse, { priority: Number.NEGATIVE_INFINITY, onError: 'closed' })
      }
      log.warn({ extension: id, hooks: names }, 'protected content closed')
      return true
    },
    get isClosed() {
      return view !== undefined
    },
    open,
  }
}
