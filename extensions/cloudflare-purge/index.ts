import { defineExtension, isSharedPage, RestError, success, successSchema } from 'pentad'
import { CloudflareError, purge, type Targets } from './purge.ts'
import { settingsSchema } from './settings.ts'

const ALL: Targets = new Set(['*'])
/** Maximum queued URLs and tags. More of them purge everything. */
const MOST_WAITING = 2000
/** Option that is set while purges are queued, so that none is lost on restart. */
const UNSENT = 'cloudflare-purge_unsent'

export default defineExtension({
  id: 'cloudflare-purge',
  name: 'Cloudflare',
  version: '1.0.0',
  description: 'Purges pages from the Cloudflare cache when they change.',
  setup({ fetch, hooks, jobs, log, options, rest, settings }) {
    const cloudflare = settings.register(settingsSchema)
    const isSetUp = () => cloudflare.get().zoneId !== '' && cloudflare.get().apiToken !== ''

    const { queue } = jobs.createQueue<Targets>({
      name: 'cloudflare-purge',
      merge: (waiting, added) => (waiting.size + added.size > MOST_WAITING ? ALL : waiting.union(added)),
      ...{ timeout: 60_000, retries: 300, longestWait: 300_000, repeatAfter: 5000 },
      async work(targets, signal) {
        try {
          await purge(cloudflare.get(), targets, { fetch, signal })
        } catch (error) {
          if (!(error instanceof CloudflareError) || error.isTemporary) throw error
          log.error({ err: error }, 'Cloudflare rejected a purge')
        }
        if (queue.size === 1) await options.delete(UNSENT)
      },
    })
    hooks.addAction('speed_purged', async ({ scope, urls, tags }) => {
      if (!isSetUp()) return
      // The whole zone, including uploads and other sites, is purged only on request.
      const pages = scope === 'url' || scope === 'urls' ? [...urls, ...tags] : ['site']
      queue.push(scope === 'everything' ? ALL : new Set(pages))
      await options.update(UNSENT, true)
    })
    if (options.get(UNSENT)) queue.push(ALL)

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
          const reason = error instanceof CloudflareError ? error.message : 'Cloudflare could not be reached.'
          throw new RestError('cloudflare_failed', reason, { status: 502 })
        }
        return success({ zoneId: cloudflare.get().zoneId })
      },
    })
  },
})
