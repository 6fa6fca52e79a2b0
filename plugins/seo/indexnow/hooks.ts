import type {} from 'pentad'

declare module 'pentad' {
  interface AsyncActions {
    /**
     * Fires after an IndexNow endpoint has taken URLs, by hand or by itself; not when it refused them.
     * @param submission the absolute URLs, and the endpoint's status: 200, or 202 while it still checks the key
     * @since 0.1.0
     * @example
     * ```ts
     * import { defineExtension } from 'pentad'
     *
     * export default defineExtension({
     *   id: 'indexnow-diary',
     *   name: 'IndexNow diary',
     *   version: '1.0.0',
     *   setup({ hooks, log }) {
     *     hooks.addAction('seo_indexnow_submitted', ({ urls, status }) => log.info({ urls, status }, 'sent'))
     *   },
     * })
     * ```
     */
    seo_indexnow_submitted: [submission: { readonly urls: readonly string[]; readonly status: number }]
  }
}
