import { type FilterShapes, recordOf } from 'pentad'
import type { Texts } from './default-texts.ts'

declare module 'pentad' {
  interface Filters {
    /**
     * Filters the app's visitor-facing strings, which are used on pages and in the service worker. Plain text, in the language of the
     * site. The same for all visitors, because pages are cached.
     *
     * @param texts Strings by name. Values that are not strings are ignored.
     * @since 0.1.0
     * @example
     * ```ts
     * import { defineExtension } from 'pentad'
     *
     * export default defineExtension({
     *   id: 'app-texts',
     *   name: 'App texts',
     *   version: '1.0.0',
     *   setup({ hooks }) {
     *     hooks.addFilter('pwa_texts', (texts) => ({ ...texts, install: 'Get the app', notNow: 'Maybe later' }))
     *   },
     * })
     * ```
     */
    pwa_texts: [texts: Texts]
  }
}

/** Valid return values at run time. */
export const filterShapes = {
  pwa_texts: recordOf('string'),
} satisfies FilterShapes
