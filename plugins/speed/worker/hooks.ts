import type { FilterShapes } from 'pentad'
import type { SpeedSettings } from '../settings.ts'

declare module 'pentad' {
  interface AsyncFilters {
    /**
     * Filters the source of the performance service's worker before it is written. Invalid JavaScript is rejected and
     * the previous worker remains in use. Call `POST /speed/v1/service-worker/generate` after changing a callback.
     * @param source The complete worker, a classic script.
     * @param settings Settings of the performance service.
     * @since 0.1.0
     */
    speed_serviceworker: [source: string, settings: SpeedSettings]
  }

  interface Filters {
    /**
     * Filters whether pages register the performance service's own worker. Only one worker can control a scope: an
     * extension whose worker controls `/` returns `false` and applies the `pwa_serviceworker` filter to its own worker, so that
     * the performance service can add its code.
     * @param registers The `serviceWorker` setting.
     * @example
     * ```ts
     * import { defineExtension } from 'pentad'
     *
     * export default defineExtension({
     *   id: 'custom-worker',
     *   name: 'Custom worker',
     *   version: '1.0.0',
     *   setup({ hooks }) {
     *     hooks.addFilter('speed_registers_serviceworker', () => false)
     *   },
     * })
     * ```
     * @since 0.1.0
     */
    speed_registers_serviceworker: [registers: boolean]
  }
}

/** Runtime checks of the values that these filters return. */
export const filterShapes = {
  speed_serviceworker: 'string',
  speed_registers_serviceworker: 'boolean',
} satisfies FilterShapes
