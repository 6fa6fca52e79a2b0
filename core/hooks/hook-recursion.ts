/** Names shown of a long chain. */
const SHOWN = 8

/**
 * Hooks are dispatched within each other without an end. It goes through all callbacks up to the outermost dispatch, which
 * keeps its value; the extension whose callback closed the circle is told, once.
 */
export class HookRecursion extends Error {
  override readonly name = 'HookRecursion'
  /** Whether the extension that closed the circle was told. */
  isTold = false

  /**
   * @param chain names of the dispatches, outermost first
   * @param what they are, in the plural
   */
  constructor(chain: readonly string[], what = 'Hooks') {
    const rest = chain.length - SHOWN
    const shown = rest > 0 ? [...chain.slice(0, SHOWN), `… (${rest} more)`] : chain
    super(`${what} run within each other without an end: ${shown.join(' → ')}`)
  }
}
