import type { FilterShapes } from 'pentad'
import type { PwaSettings } from '../settings.ts'

declare module 'pentad' {
  interface AsyncFilters {
    /**
     * Filters the JavaScript of the service worker, a classic script that controls the whole site. If it has a syntax
     * error, the previous worker remains in use. The worker is regenerated when settings or extensions change. Call `POST
     * /pwa/v1/service-worker/generate` after any other change. Does not run for the self-destroying worker that is
     * served when the worker is no longer needed.
     *
     * @param source JavaScript of the worker.
     * @param settings Settings of the PWA service.
     * @since 0.1.0
     * @example
     * ```ts
     * import { defineExtension } from 'pentad'
     *
     * export default defineExtension({
     *   id: 'sync-handler',
     *   name: 'Sync handler',
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
     * Filters whether the service worker handles requests for stylesheets, scripts, fonts, and images. Return `false`
     * if code added through `pwa_serviceworker` handles them, since only one handler can respond.
     * @param handles Whether the service worker handles them. Default `true`.
     * @since 0.1.0
     */
    pwa_handles_files: [handles: boolean]
    /**
     * Deprecated: use `pwa_handles_files`, which is applied first. Will be removed in 1.0.0.
     * @param handles Whether the service worker handles them.
     * @since 0.1.0
     * @deprecated Use `pwa_handles_files`.
     */
    pwa_keeps_files: [handles: boolean]
  }
}

/** Valid return values at run time. */
export const filterShapes = {
  pwa_serviceworker: 'string',
  pwa_handles_files: 'boolean',
  pwa_keeps_files: 'boolean',
} satisfies FilterShapes
