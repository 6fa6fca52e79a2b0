import { type FilterShapes, json } from 'pentad'
import type { Manifest } from './manifest/manifest.ts'

declare module 'pentad' {
  interface AsyncFilters {
    /**
     * Filters the web app manifest. A value that cannot be serialized to JSON is logged and ignored.
     * @param manifest Manifest members by their standard names, such as `short_name`.
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

/** Valid return values at run time. */
export const filterShapes = {
  pwa_manifest: json('object'),
} satisfies FilterShapes
