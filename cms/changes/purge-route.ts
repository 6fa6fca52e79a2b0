import { z } from 'zod'
import { RestError } from '../../core/errors.ts'
import type { Hooks } from '../../core/hooks/types.ts'
import { success } from '../../core/rest/response.ts'
import { successSchema } from '../../core/rest/response-schemas.ts'
import type { Rest } from '../../core/rest/types.ts'
import { invalidParameter } from '../../core/schema/errors.ts'
import { readPageUrl } from './page-url.ts'
import type { Purger } from './purger.ts'

const MOST = 1000
const REASON = 'An administrator purged pages.'

/** `POST host/v1/purge`: purges pages from all caches, also without the performance service. */
export function registerPurgeRoute(
  rest: Rest,
  { hooks, purger, siteUrl }: { hooks: Hooks; purger: Purger; siteUrl: string },
): void {
  rest.registerRoute('host/v1', {
    method: 'POST',
    path: '/purge',
    access: 'manage_options',
    summary:
      'Purges pages by URL and tag, or all pages, from all caches. With `dryRun`, only returns the pages that would be purged.',
    input: z.strictObject({
      urls: z.array(z.string().min(1)).max(MOST).default([]).describe('Absolute URLs on this site, or paths.'),
      tags: z
        .array(z.string().regex(/^[\w-]{1,60}$/))
        .max(MOST)
        .default([])
        .describe('Cache tags, such as `post-7`.'),
      all: z.boolean().default(false).describe('Purges all pages. Not together with `urls` or `tags`.'),
      soft: z
        .boolean()
        .default(false)
        .describe('Whether visitors may get the outdated pages once more while new ones are rendered.'),
      dryRun: z.boolean().default(false).describe('Purges nothing.'),
    }),
    response: successSchema(
      z.object({
        scope: z.enum(['urls', 'pages']),
        urls: z.array(z.string()).describe('The given URLs, and those of cached pages with one of the tags.'),
        tags: z.array(z.string()),
      }),
    ),
    async handler({ input }) {
      const { tags, all, soft, dryRun } = input
      const isForSome = input.urls.length + tags.length > 0
      if (all && isForSome) {
        throw invalidParameter('all', 'Send either all, to purge all pages, or urls and tags, to purge only these.')
      }
      if (!all && !isForSome) {
        const message = 'Missing parameter(s): urls, tags, or all'
        throw new RestError('rest_missing_callback_param', message, { status: 400, params: ['urls', 'tags', 'all'] })
      }
      const urls = input.urls.map((given) => readPageUrl(given, siteUrl) ?? notAPage(given))
      const purge = all
        ? { scope: 'pages' as const, urls: [], tags: [], reason: REASON, soft }
        : { scope: 'urls' as const, urls, tags, reason: REASON, soft }
      if (!all || soft || dryRun) await hooks.doActionAsync('pre_purge')
      const purged = dryRun ? purger.preview(purge) : await purger.now(purge)
      return success({ scope: purge.scope, urls: [...purged], tags: purge.tags })
    },
  })
}

function notAPage(given: string): never {
  throw invalidParameter('urls', `${given} is not a page of this site.`)
}
