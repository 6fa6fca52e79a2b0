import { RestError, type Route, readPageUrl, success, successSchema } from 'pentad'
import { z } from 'zod'
import type { Preload } from '../preload/index.ts'
import type { Purger } from '../purge/index.ts'

const pageInput = z.object({
  url: z
    .string()
    .min(1)
    .optional()
    .describe('Absolute URL on this site, or a path. Defaults to the URL in the `Referer` header.'),
})

/**
 * `POST /purge-current-page`: returns the purged URLs. The page is re-rendered in the background.
 * @throws RestError 400 `rest_missing_callback_param`, 400 `rest_invalid_param`
 */
export function purgeCurrentPage(purger: Purger, siteUrl: string): Route<typeof pageInput> {
  return {
    method: 'POST',
    path: '/purge-current-page',
    access: 'manage_options',
    summary: 'Purges one page from the cache.',
    input: pageInput,
    response: successSchema(z.object({ purged: z.array(z.string()) })),
    async handler({ input, headers }) {
      const given = input.url ?? headers.referer
      if (given === undefined || given === '') {
        const message = 'Missing parameter(s): url'
        throw new RestError('rest_missing_callback_param', message, { status: 400, params: ['url'] })
      }
      const url = readPageUrl(given, siteUrl)
      if (url === undefined) {
        const message =
          input.url === undefined ? 'The Referer is not a page of this site.' : 'url is not a page of this site.'
        const details = { url: { code: 'not_this_site', message } }
        throw new RestError('rest_invalid_param', 'Invalid parameter(s): url', {
          status: 400,
          params: { url: message },
          details,
        })
      }
      return success({ purged: await purger.page(url) })
    },
  }
}

/** Number of pages queued for rendering. */
export const queuedShape = z.object({ queued: z.int() })

const SUMMARIES = {
  pages: 'Purges all cached pages and re-renders them. Optimized files are kept.',
  cache: 'Like `purge-pages-and-preload`, but integrations receive the scope `cache`.',
  everything: 'Purges the cache, including optimized files, and re-renders all pages.',
}

/** `POST /purge-pages-and-preload` and the wider scopes: returns the numbers of purged and queued pages. */
export function purgeAll(scope: keyof typeof SUMMARIES, purger: Purger, preload: Preload): Route {
  return {
    method: 'POST',
    path: `/purge-${scope}-and-preload`,
    access: 'manage_options',
    summary: SUMMARIES[scope],
    response: successSchema(z.object({ purged: z.int(), preload: queuedShape })),
    async handler() {
      const purged = await purger.all(scope, `An administrator purged ${scope === 'cache' ? 'the cache' : scope}.`)
      return success({ purged, preload: { queued: await preload.everything() } })
    },
  }
}
