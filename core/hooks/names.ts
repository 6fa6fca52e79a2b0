/**
 * Every hook is declared once, where it is emitted, by adding to one of these four interfaces:
 *
 * ```ts
 * declare module 'pentad' {
 *   interface Filters {
 *     reading_speed: [wordsPerMinute: number, locale: string]
 *   }
 * }
 * ```
 *
 * A declaration is the tuple of arguments; a filter's first argument is its value, which every callback must return. Hooks in the `Async…`
 * interfaces are dispatched by `doActionAsync` and `applyFiltersAsync` only, and their callbacks may return a promise. Families of names
 * (`publish_post`, `publish_page`, …) are declared by a template key: `` [name: `publish_${string}`]: [postId: number] ``.
 */

/** Actions dispatched by `doAction`: callbacks are synchronous. */
export interface Actions {
  /**
   * Runs before the callbacks of every dispatched hook: actions and filters, synchronous and asynchronous (an async dispatch
   * awaits it). Its callbacks cannot change values. Meant for debugging, because it slows down every dispatch.
   *
   * @param name - The dispatched hook.
   * @param args - All arguments, regardless of `acceptedArgs`.
   * @since 0.1.0
   */
  all: [name: string, ...args: unknown[]]
}

/** Actions dispatched by `doActionAsync`: each callback is awaited in turn. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface AsyncActions {}

/** Filters dispatched by `applyFilters`: callbacks are synchronous and return the value. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface Filters {}

/** Filters dispatched by `applyFiltersAsync`: callbacks return the value or a promise of it. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface AsyncFilters {}
