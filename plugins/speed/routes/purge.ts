import { RestError, type Route, success, successAnswer } from 'pentad'
import { z } from 'zod'
import type { Preload } from '../preload/index.ts'
import type { Purger } from '../purge/index.ts'
import { readPageUrl } from '../purge/page-url.ts'

const pageInput = z.object({
  url: z.string().min(1).optional().describe('Absolute URL on this site, or a path; default the Referer.'),
})

/**
 * `POST /purge-current-page`: answers the URLs that were purged. The page is rendered again in the background.
 * @throws RestError 400 `rest_missing_callback_param`, 400 `rest_invalid_param`
 */
export function purgeCurrentPage(purger: Purger, siteUrl: string): Route<typeof pageInput> {
  return {
    method: 'POST',
    path: '/purge-current-page',
    access: 'manage_options',
    summary: 'Removes the cached copy of one page.',
    input: pageInput,
    answer: successAnswer(z.object({ purged: z.array(z.string()) })),
    async handler({ input, headers }) {
      const given = input.url ?? headers.referer
      if (given === undefined || given === '') {
        const message = 'Missing parameter(s): url'
        throw new RestError('rest_missing_callback_param', message, { status: 400, params: ['url'] })
      }
      const url = readPageUrl(given, siteUrl)
      if (url === undefined) {
        const message =
          input.url === undefined ? 'The Referer is no page of this site.' : 'url is no page of this site.'
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

/** Pages that wait to be rendered. */
export const queuedShape = z.object({ queued: z.int() })

const SUMMARIES = {
  pages: 'Removes the cached pages and renders them again; optimised files stay.',
  cache: 'Removes all that is cached except optimised files, and renders the pages again.',
  everything: 'Removes all that is cached, optimised files too, and renders the pages again.',
}

/** `POST /purge-pages-and-preload` and its wider kin: answers how many cached pages went and how many wait to be rendered. */
export function purgeAll(scope: keyof typeof SUMMARIES, purger: Purger, preload: Preload): Route {
  return {
    method: 'POST',
    path: `/purge-${scope}-and-preload`,
    access: 'manage_options',
    summary: SUMMARIES[scope],
    answer: successAnswer(z.object({ purged: z.int(), preload: queuedShape })),
    async handler() {
      const purged = await purger.all(scope, `An administrator purged ${scope === 'cache' ? 'the cache' : scope}.`)
      return success({ purged, preload: { queued: await preload.everything() } })
    },
  }
}
