import type { FilterShapes } from '../hooks/shapes.ts'
import type { JsonValue } from './types.ts'

declare module '../hooks/names.ts' {
  interface AsyncFilters {
    /**
     * Filters an option before it is stored. Throw a `RestError` to reject the change. May run again for the same
     * change if another process stored the option in the meantime. Callbacks receive the secrets of a settings record encrypted.
     * A callback must not update the option itself: it returns the new value instead.
     *
     * @param value - The new value; JSON.
     * @param name - Name of the option.
     * @param oldValue - The stored value; `undefined` if there is none.
     * @since 0.1.0
     * @example
     * ```ts
     * import { defineExtension } from 'pentad'
     *
     * export default defineExtension({
     *   id: 'tidy-prices',
     *   name: 'Tidy prices',
     *   version: '1.0.0',
     *   setup({ hooks }) {
     *     hooks.addFilter('pre_update_option', (value, name) =>
     *       name === 'prices' && typeof value === 'string' ? value.trim() : value,
     *     )
     *   },
     * })
     * ```
     */
    pre_update_option: [value: JsonValue, name: string, oldValue: JsonValue | undefined]
  }

  interface AsyncActions {
    /**
     * Fires after an option is changed and stored durably, including by a different process of the site. The change
     * cannot be canceled: errors in callbacks are logged. Callbacks receive the secrets of a settings record encrypted.
     *
     * @param name - Name of the option.
     * @param oldValue - The previous value; `undefined` if the option is new.
     * @param value - The new value; `undefined` if the option was deleted.
     * @param isExternal - Whether a different process changed it.
     * @since 0.1.0
     */
    updated_option: [name: string, oldValue: JsonValue | undefined, value: JsonValue | undefined, isExternal: boolean]

    /**
     * Fires before settings are written, after all supplied keys are validated. Throw a `RestError` to reject the update.
     * The name begins with the ID of the extension or service: `backup_settings_update:before`. Secrets are masked as
     * `********`: a secret among the changes is about to be replaced.
     *
     * @param changes - The supplied keys with their validated values.
     * @param current - The entire record before the change.
     * @since 0.1.0
     */
    [name: `${string}_settings_update:before`]: [
      changes: Readonly<Record<string, unknown>>,
      current: Readonly<Record<string, unknown>>,
    ]

    /**
     * Fires after settings are stored durably. Errors in callbacks are logged. Secrets are masked as `********`.
     *
     * @param merged - The entire record after the change.
     * @param previous - The entire record before the change.
     * @since 0.1.0
     */
    [name: `${string}_settings_update:after`]: [
      merged: Readonly<Record<string, unknown>>,
      previous: Readonly<Record<string, unknown>>,
    ]
  }
}

/** Run-time shapes of these filters. */
export const filterShapes = { pre_update_option: 'any' } satisfies FilterShapes
