import { defineExtension, isSharedPage, RestError, success, successSchema } from 'pentad'
import { FastlyError, purge, type Targets } from './purge.ts'
import { settingsSchema } from './settings.ts'

const ALL: Targets = new Set(['*'])
/** Maximum queued URLs and tags. More of them purge everything. */
const MOST_WAITING = 2000
/** Option that is set while purges are queued, so that none is lost on restart. */
const UNSENT = 'fastly-purge_unsent'

export default defineExtension({
  id: 'fastly-purge',
  name: 'Fastly',
  version: '1.0.0',
  description: 'Purges pages from the Fastly cache when they change.',
  setup({ fetch, hooks, jobs, log, options, rest, settings }) {
    const fastly = settings.register(settingsSchema)
    const isSetUp = () => fastly.get().serviceId !== '' && fastly.get().apiToken !== ''

    const { queue } = jobs.createQueue<Targets>({
      name: 'fastly-purge',
      merge: (waiting, added) => (waiting.size + added.size > MOST_WAITING ? ALL : waiting.union(added)),
      ...{ timeout: 60_000, retries: 300, longestWait: 300_000, repeatAfter: 5000 },
      async work(targets, signal) {
        try {
          await purge(fastly.get(), targets, { fetch, signal })
        } catch (error) {
          if (!(error instanceof FastlyError) || error.isTemporary) throw error
          log.error({ err: error }, 'Fastly rejected a purge')
        }
        if (queue.size === 1) await options.delete(UNSENT)
      },
    })
    hooks.addAction('speed_purged', async ({ scope, urls, tags }) => {
      if (!isSetUp()) return
      const pages = scope === 'url' || scope === 'urls' ? [...urls, ...tags] : ['site']
      queue.push(scope === 'everything' ? ALL : new Set(pages))
      await options.update(UNSENT, true)
    })
    if (options.get(UNSENT)) queue.push(ALL)

    hooks.addFilter(
      'wp_headers',
      (headers, page) =>
        isSharedPage(headers, page)
          ? { ...headers, 'Surrogate-Control': `max-age=${fastly.get().lifetimeSeconds}` }
          : headers,
      1000,
    )

    rest.registerRoute('fastly-purge/v1', {
      method: 'POST',
      path: '/test',
      access: 'manage_options',
      summary: 'Tests the connection by purging a key that no page has.',
      response: successSchema(settingsSchema.pick({ serviceId: true })),
      async handler({ signal }) {
        if (!isSetUp())
          throw new RestError(
            'fastly_not_set_up',
            'Fastly is not configured. Enter the service ID and an API token in the settings.',
            { status: 409 },
          )
        const limited = AbortSignal.any([signal, AbortSignal.timeout(10_000)])
        try {
          await purge(fastly.get(), new Set(['connection-test']), { fetch, signal: limited })
        } catch (error) {
          const reason = error instanceof FastlyError ? error.message : 'Fastly could not be reached.'
          throw new RestError('fastly_failed', reason, { status: 502 })
        }
        return success({ serviceId: fastly.get().serviceId })
      },
    })
  },
})
