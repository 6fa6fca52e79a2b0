import type { FilterShapes } from 'pentad'
import type { SpeedSettings } from '../settings.ts'

declare module 'pentad' {
  interface AsyncFilters {
    /**
     * The JavaScript of the performance service's worker, before it is put in place. What does not parse is refused, and
     * the old worker stays. Run `POST /speed/v1/service-worker/generate` after a change of what a callback does.
     * @param source the whole worker, a classic script
     * @param settings of the performance service
     * @since 0.1.0
     */
    speed_serviceworker: [source: string, settings: SpeedSettings]
  }

  interface Filters {
    /**
     * Whether pages register the performance service's own worker. Only one worker can control a scope: a plugin whose
     * worker controls `/` answers `false` and carries this service's part, which is added to the source that it passes
     * through the filter `pwa_serviceworker`.
     * @param registers the setting `serviceWorker`
     * @example
     * ```ts
     * import { defineExtension } from 'pentad'
     *
     * export default defineExtension({
     *   id: 'own-worker',
     *   name: 'Own worker',
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

/** What these filters may return at run time. */
export const filterShapes = {
  speed_serviceworker: 'string',
  speed_registers_serviceworker: 'boolean',
} satisfies FilterShapes
