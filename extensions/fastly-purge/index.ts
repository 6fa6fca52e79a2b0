import { defineExtension, isOfPages, isSharedPage, RestError, success, successSchema } from 'pentad'
import { purge, type Targets } from './purge.ts'
import { settingsSchema } from './settings.ts'

const ALL: Targets = new Set(['*'])

export default defineExtension({
  id: 'fastly-purge',
  name: 'Fastly',
  version: '1.0.0',
  description: 'Purges pages from the Fastly cache when they change.',
  setup({ changes, fetch, hooks, rest, settings }) {
    const fastly = settings.register(settingsSchema)
    const isSetUp = () => fastly.get().serviceId !== '' && fastly.get().apiToken !== ''

    changes.follow({
      name: 'Fastly',
      caches: () => (isSetUp() ? [fastly.get().serviceId] : []),
      // Fastly accepts about 100,000 purges an hour.
      budget: { burst: 2000, perMinute: 1600, cost: ({ urls, tags }) => Math.max(1, urls.length + tags.length) },
      purge({ scope, urls, tags, soft }, signal) {
        const pages = isOfPages(scope) ? [...urls, ...tags] : ['site']
        return purge(fastly.get(), scope === 'everything' ? ALL : new Set(pages), { fetch, soft, signal })
      },
    })

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
          const reason = error instanceof Error ? error.message : 'Fastly could not be reached.'
          throw new RestError('fastly_failed', reason, { status: 502 })
        }
        return success({ serviceId: fastly.get().serviceId })
      },
    })
  },
})
