import type {} from 'pentad'

declare module 'pentad' {
  interface AsyncActions {
    /**
     * Fires after an IndexNow endpoint accepts URLs, submitted manually or automatically.
     * @param submission The absolute URLs, and the HTTP status: 200, or 202 while key validation is pending.
     * @since 0.1.0
     * @example
     * ```ts
     * import { defineExtension } from 'pentad'
     *
     * export default defineExtension({
     *   id: 'indexnow-log',
     *   name: 'IndexNow log',
     *   version: '1.0.0',
     *   setup({ hooks, log }) {
     *     hooks.addAction('seo_indexnow_submitted', ({ urls, status }) => log.info({ urls, status }, 'urls submitted'))
     *   },
     * })
     * ```
     */
    seo_indexnow_submitted: [submission: { readonly urls: readonly string[]; readonly status: number }]
  }
}
