import { type FilterShapes, recordOf } from 'pentad'
import type { Texts } from './default-texts.ts'

declare module 'pentad' {
  interface Filters {
    /**
     * What the app says to visitors, on pages and in the service worker; plain text. The same for all visitors, because
     * pages are cached.
     *
     * @param texts by their names; those of another type than text are passed over
     * @since 0.1.0
     * @example
     * ```ts
     * import { defineExtension } from 'pentad'
     *
     * export default defineExtension({
     *   id: 'german-app',
     *   name: 'German app',
     *   version: '1.0.0',
     *   setup({ hooks }) {
     *     hooks.addFilter('pwa_texts', (texts) => ({ ...texts, install: 'Installieren', notNow: 'Später' }))
     *   },
     * })
     * ```
     */
    pwa_texts: [texts: Texts]
  }
}

/** What these filters may return at run time. */
export const filterShapes = {
  pwa_texts: recordOf('string'),
} satisfies FilterShapes
