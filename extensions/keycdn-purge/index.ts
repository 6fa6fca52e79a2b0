import { defineExtension, isOfPages, isSharedPage, RestError, success, successSchema } from 'pentad'
import { purge, requestsFor } from './purge.ts'
import { settingsSchema } from './settings.ts'

/** Every page has this tag. */
const ALL = { tags: ['site'], urls: [] }

export default defineExtension({
  id: 'keycdn-purge',
  name: 'KeyCDN',
  version: '1.0.0',
  description: 'Purges pages from the KeyCDN cache when they change.',
  setup({ changes, fetch, hooks, rest, settings }) {
    const keycdn = settings.register(settingsSchema)
    const isSetUp = () => keycdn.get().zoneId !== '' && keycdn.get().apiKey !== ''

    changes.follow({
      name: 'KeyCDN',
      caches: () => (isSetUp() ? [keycdn.get().zoneId] : []),
      budget: { burst: 20, perMinute: 20, cost: requestsFor },
      purge: ({ scope, urls, tags }, signal) =>
        purge(keycdn.get(), isOfPages(scope) ? { tags, urls } : ALL, { fetch, signal }),
    })

    hooks.addFilter(
      'wp_headers',
      (headers, page) => {
        if (!isSharedPage(headers, page)) return headers
        const lifetime = String(keycdn.get().lifetimeSeconds)
        // KeyCDN separates tags by spaces.
        return { ...headers, 'X-Accel-Expires': lifetime, 'Cache-Tag': headers['Surrogate-Key'] ?? 'site' }
      },
      1000,
    )

    rest.registerRoute('keycdn-purge/v1', {
      method: 'POST',
      path: '/test',
      access: 'manage_options',
      summary: 'Tests the connection by purging a tag that no page has.',
      response: successSchema(settingsSchema.pick({ zoneId: true })),
      async handler({ signal }) {
        if (!isSetUp()) {
          const message = 'KeyCDN is not configured. Enter the zone ID and an API key in the settings.'
          throw new RestError('keycdn_not_set_up', message, { status: 409 })
        }
        const limited = AbortSignal.any([signal, AbortSignal.timeout(10_000)])
        try {
          await purge(keycdn.get(), { tags: ['connection-test'], urls: [] }, { fetch, signal: limited })
        } catch (error) {
          const reason = error instanceof Error ? error.message : 'KeyCDN could not be reached.'
          throw new RestError('keycdn_failed', reason, { status: 502 })
        }
        return success({ zoneId: keycdn.get().zoneId })
      },
    })
  },
})
