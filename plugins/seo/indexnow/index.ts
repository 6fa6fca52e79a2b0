import {
  type ExtensionHost,
  isPublicSite,
  paginated,
  paginatedSchema,
  paginationSchema,
  RestError,
  success,
  successSchema,
} from 'pentad'
import { z } from 'zod'
import type { Indexable } from '../indexable.ts'
import type { SeoSettings } from '../settings.ts'
import { watchPages } from './changed-pages.ts'
import './hooks.ts'
import { serveKeyFile } from './key-file.ts'
import { createPendingPages } from './pending-pages.ts'
import { describe, MOST_URLS, type Outcome, submit } from './protocol.ts'
import { readSiteUrls } from './site-urls.ts'
import { createSubmissions } from './submissions.ts'
import { createSubmitter } from './submitter.ts'
import { openIndexNowTables } from './tables.ts'

/** Maximum size of a request in bytes: 10,000 long URLs. */
const BODY_LIMIT = 8 * 1024 * 1024
/** Maximum number of foreign URLs in an error. */
const NAMED = 20

const urlsSchema = z
  .union([z.string().transform((url) => [url]), z.array(z.string()).min(1).max(MOST_URLS)])
  .optional()
  .describe('URLs or paths on this site, 1 to 10,000. If omitted, the homepage is submitted as a test.')

const logResponse = paginatedSchema(
  z.object({
    ...{ submittedAt: z.string(), urls: z.int().describe('Number of URLs submitted.') },
    status: z.int().nullable().describe('HTTP status of the response; `null` if there was none.'),
    ...{ endpoint: z.string(), origin: z.enum(['manual', 'automatic']), message: z.string() },
  }),
  { key: z.string(), keyLocation: z.string() },
)

/** IndexNow: key file, manual and automatic submissions, and their log. */
export async function registerIndexNow(
  host: ExtensionHost,
  { settings, indexable }: { settings: () => SeoSettings; indexable: Indexable },
): Promise<void> {
  const db = await openIndexNowTables(host.database)
  const key = serveKeyFile(host, settings)
  const submissions = createSubmissions(db)
  const waiting = createPendingPages(db)

  async function send(
    urls: readonly string[],
    origin: 'manual' | 'automatic',
    signal: AbortSignal,
  ): Promise<{ outcome: Outcome; endpoint: string }> {
    const endpoint = settings().indexNowEndpoint
    const submission = { urls, key: key.key(), keyLocation: key.url() }
    const outcome = await submit(endpoint, submission, { fetch: host.fetch, signal })
    await submissions.add({ urls: urls.length, status: outcome.status, endpoint, origin })
    if (outcome.kind === 'accepted')
      await host.hooks.doActionAsync('seo_indexnow_submitted', { urls, status: outcome.status })
    return { outcome, endpoint }
  }

  host.rest.registerRoute('seo/v1', {
    method: 'POST',
    path: '/geo/indexnow',
    access: 'manage_options',
    pro: true,
    summary: 'Submits URLs to search engines with IndexNow. Without URLs, submits the homepage.',
    bodyLimit: BODY_LIMIT,
    input: z.object({ urls: urlsSchema }),
    response: successSchema(z.object({ submitted: z.int(), status: z.int(), endpoint: z.string() })),
    async handler({ input, signal }) {
      const { urls, foreign } = readSiteUrls(input.urls ?? ['/'], host.site.url)
      if (foreign.length > 0) throw notOurs(foreign)
      if (!isPublicSite(host.options))
        throw new RestError(
          'site_not_public',
          'Search engines are discouraged from indexing this site. To submit URLs, allow indexing in the reading settings.',
          { status: 409 },
        )
      const { outcome, endpoint } = await send(urls, 'manual', signal)
      if (outcome.kind !== 'accepted') throw submissionError(outcome, endpoint)
      return success({ submitted: urls.length, status: outcome.status, endpoint }, describe(outcome.status))
    },
  })
  host.rest.registerRoute('seo/v1', {
    method: 'GET',
    path: '/geo/indexnow',
    access: 'manage_options',
    pro: true,
    summary: 'Lists recent IndexNow submissions, newest first.',
    input: paginationSchema,
    response: logResponse,
    async handler({ input }) {
      const { items, total } = await submissions.list(input.perPage, (input.page - 1) * input.perPage)
      const entries = items.map(({ submitted, urls, status, endpoint, origin }) => {
        const submittedAt = new Date(submitted).toISOString()
        return { submittedAt, urls, status, endpoint, origin, message: describe(status) }
      })
      // The key is public: it is in a file that anyone can read.
      return paginated(entries, total, input, { key: key.key(), keyLocation: key.url() })
    },
  })

  const submitter = createSubmitter(host, { settings, indexable, waiting, send })
  watchPages(host, { settings, indexable, waiting })
  // A slow response must not lead to a second submission of the same URLs by the next run.
  let running: Promise<void> | undefined
  host.jobs.schedule('indexnow', '* * * * *', (signal) => {
    running ??= submitter.run(signal).finally(() => {
      running = undefined
    })
    return running
  })
  host.jobs.schedule('indexnow-prune', '47 4 * * *', async () => {
    await waiting.prune(Date.now())
    await submissions.prune()
  })
}

function notOurs(foreign: readonly string[]): RestError {
  const message = 'All URLs must be on this site.'
  return new RestError('rest_invalid_param', 'Invalid parameter(s): urls', {
    ...{ status: 400, params: { urls: message } },
    details: { urls: { code: 'rest_invalid_url', message, urls: foreign.slice(0, NAMED) } },
  })
}

function submissionError(outcome: Exclude<Outcome, { kind: 'accepted' }>, endpoint: string): RestError {
  const data = { endpoint, endpointStatus: outcome.status }
  if (outcome.kind === 'unreachable')
    return new RestError('indexnow_unreachable', describe(outcome.status), { status: 502, ...data })
  const headers = outcome.retryAfter === null ? {} : { 'Retry-After': outcome.retryAfter }
  return new RestError('indexnow_rejected', describe(outcome.status), { status: 422, ...data }, headers)
}
