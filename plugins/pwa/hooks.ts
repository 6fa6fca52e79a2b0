import { type FilterShapes, json } from 'pentad'
import type { Manifest } from './manifest/manifest.ts'

declare module 'pentad' {
  interface AsyncFilters {
    /**
     * The web app manifest before it is sent. What cannot be written as JSON is logged, and the manifest goes out as it
     * was.
     * @param manifest members by their names in the standard: `short_name`
     * @since 0.1.0
     * @example
     * ```ts
     * import { defineExtension } from 'pentad'
     *
     * export default defineExtension({
     *   id: 'kitchen-app',
     *   name: 'Kitchen app',
     *   version: '1.0.0',
     *   setup({ hooks }) {
     *     hooks.addFilter('pwa_manifest', (manifest) => ({ ...manifest, categories: ['food'] }))
     *   },
     * })
     * ```
     */
    pwa_manifest: [manifest: Manifest]
  }
}

/** What these filters may return at run time. */
export const filterShapes = {
  pwa_manifest: json('object'),
} satisfies FilterShapes
