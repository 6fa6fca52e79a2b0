import { defineExtension, isOfPages, isSharedPage, PurgeRejectedError, RestError, success, successSchema } from 'pentad'
import { CloudflareError, purge, requestsFor, type Targets } from './purge.ts'
import { settingsSchema } from './settings.ts'

const ALL: Targets = new Set(['*'])

export default defineExtension({
  id: 'cloudflare-purge',
  name: 'Cloudflare',
  version: '1.0.0',
  description: 'Purges pages from the Cloudflare cache when they change.',
  setup({ changes, fetch, hooks, rest, settings }) {
    const cloudflare = settings.register(settingsSchema)
    const isSetUp = () => cloudflare.get().zoneId !== '' && cloudflare.get().apiToken !== ''

    changes.follow({
      name: 'Cloudflare',
      caches: () => (isSetUp() ? [cloudflare.get().zoneId] : []),
      budget: {
        burst: 25,
        get perMinute() {
          return cloudflare.get().requestsPerMinute
        },
        cost: requestsFor,
      },
      async purge({ scope, urls, tags }, signal) {
        // The whole zone, including uploads and other sites, is purged only on request.
        const pages = isOfPages(scope) ? [...urls, ...tags] : ['site']
        try {
          await purge(cloudflare.get(), scope === 'everything' ? ALL : new Set(pages), { fetch, signal })
        } catch (error) {
          throw error instanceof CloudflareError && !error.isTemporary ? new PurgeRejectedError(error.message) : error
        }
      },
    })

    hooks.addFilter(
      'wp_headers',
      (headers, page) =>
        isSharedPage(headers, page)
          ? { ...headers, 'Cloudflare-CDN-Cache-Control': `max-age=${cloudflare.get().lifetimeSeconds}` }
          : headers,
      1000,
    )

    rest.registerRoute('cloudflare-purge/v1', {
      method: 'POST',
      path: '/test',
      access: 'manage_options',
      summary: 'Tests the connection by purging a tag that no page has.',
      response: successSchema(settingsSchema.pick({ zoneId: true })),
      async handler({ signal }) {
        if (!isSetUp())
          throw new RestError(
            'cloudflare_not_set_up',
            'Cloudflare is not configured. Enter the zone ID and an API token in the settings.',
            { status: 409 },
          )
        const limited = AbortSignal.any([signal, AbortSignal.timeout(10_000)])
        try {
          await purge(cloudflare.get(), new Set(['connection-test']), { fetch, signal: limited })
        } catch (error) {
          const reason = error instanceof Error ? error.message : 'Cloudflare could not be reached.'
          throw new RestError('cloudflare_failed', reason, { status: 502 })
        }
        return success({ zoneId: cloudflare.get().zoneId })
      },
    })
  },
})
