import type { FilterShapes } from 'pentad'
import type { PwaSettings } from '../settings.ts'

declare module 'pentad' {
  interface AsyncFilters {
    /**
     * The JavaScript of the service worker, before it is put in place: a classic script that controls the whole site.
     * What does not parse is refused, and the old worker stays. The worker is made anew when settings or extensions of
     * the site change; run `POST /pwa/v1/service-worker/generate` after any other change of what a callback does.
     * Not asked about the worker that removes itself once the service is switched off.
     *
     * @param source the whole worker
     * @param settings of the PWA service
     * @since 0.1.0
     * @example
     * ```ts
     * import { defineExtension } from 'pentad'
     *
     * export default defineExtension({
     *   id: 'worker-part',
     *   name: 'Worker part',
     *   version: '1.0.0',
     *   setup({ hooks }) {
     *     const part = "addEventListener('sync', (event) => { if (event.tag === 'mine') event.waitUntil(send()) })"
     *     hooks.addFilter('pwa_serviceworker', (source) => `${source}\n${part}`)
     *   },
     * })
     * ```
     */
    pwa_serviceworker: [source: string, settings: PwaSettings]
  }

  interface Filters {
    /**
     * Whether the service worker answers requests for style sheets, scripts, fonts and images. An extension whose part
     * of the worker, added through `pwa_serviceworker`, answers them answers `false`: only one can.
     * @param keeps whether it does
     * @since 0.1.0
     */
    pwa_keeps_files: [keeps: boolean]
  }
}

/** What these filters may return at run time. */
export const filterShapes = {
  pwa_serviceworker: 'string',
  pwa_keeps_files: 'boolean',
} satisfies FilterShapes
