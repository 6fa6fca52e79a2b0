import type { User } from '../../core/auth/types.ts'

declare module '../../core/hooks/names.ts' {
  interface AsyncActions {
    /**
     * Fires before an ability is executed, after its permission and input are checked. Throw a `RestError` to reject it.
     *
     * @param name - Name of the ability: `content/edit-post`.
     * @param input - The validated input.
     * @param caller - The user for whom the ability runs; `null` for a visitor.
     * @since 0.1.0
     */
    wp_before_execute_ability: [name: string, input: Readonly<Record<string, unknown>>, caller: User | null]

    /**
     * Fires after an ability is executed, for example to log what agents do. Errors in callbacks are logged.
     *
     * @param name - Name of the ability: `content/edit-post`.
     * @param input - The validated input.
     * @param result - The result that the caller receives.
     * @param caller - The user for whom the ability runs; `null` for a visitor.
     * @since 0.1.0
     * @example
     * ```ts
     * import { defineExtension } from 'pentad'
     *
     * export default defineExtension({
     *   id: 'agent-log',
     *   name: 'Agent log',
     *   version: '1.0.0',
     *   setup({ hooks, log }) {
     *     hooks.addAction('wp_after_execute_ability', (name, input, _result, caller) => {
     *       log.info({ ability: name, input, user: caller?.login }, 'ability executed')
     *     })
     *   },
     * })
     * ```
     */
    wp_after_execute_ability: [
      name: string,
      input: Readonly<Record<string, unknown>>,
      result: Readonly<Record<string, unknown>>,
      caller: User | null,
    ]
  }
}
