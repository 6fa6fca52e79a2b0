import { defineExtension, isOfPages, isSharedPage, RestError, success, successSchema } from 'pentad'
import { purge } from './purge.ts'
import { settingsSchema } from './settings.ts'

/** Every page has this tag. */
const ALL = { tags: ['site'], urls: [] }

export default defineExtension({
  id: 'akamai-purge',
  name: 'Akamai',
  version: '1.0.0',
  description: 'Purges pages from the Akamai cache when they change.',
  setup({ changes, fetch, hooks, rest, settings }) {
    const akamai = settings.register(settingsSchema)
    function isSetUp(): boolean {
      const { host, clientToken, accessToken, clientSecret } = akamai.get()
      return [host, clientToken, accessToken, clientSecret].every((value) => value !== '')
    }

    changes.follow({
      name: 'Akamai',
      caches: () => (isSetUp() ? [akamai.get().host] : []),
      // Fast Purge accepts 500 tags a minute.
      budget: { burst: 500, perMinute: 500, cost: ({ urls, tags }) => Math.max(1, urls.length + tags.length) },
      purge: ({ scope, urls, tags, soft }, signal) =>
        purge(akamai.get(), isOfPages(scope) ? { tags, urls } : ALL, { fetch, soft, signal }),
    })

    hooks.addFilter(
      'wp_headers',
      (headers, page) => {
        if (!isSharedPage(headers, page)) return headers
        const control = `max-age=${akamai.get().lifetimeSeconds}`
        return { ...headers, 'Edge-Control': control, 'Edge-Cache-Tag': headers['Cache-Tag'] ?? 'site' }
      },
      1000,
    )

    rest.registerRoute('akamai-purge/v1', {
      method: 'POST',
      path: '/test',
      access: 'manage_options',
      summary: 'Tests the connection by purging a tag that no page has.',
      response: successSchema(settingsSchema.pick({ host: true })),
      async handler({ signal }) {
        if (!isSetUp()) {
          const message = 'Akamai is not configured. Enter the credentials of an API client in the settings.'
          throw new RestError('akamai_not_set_up', message, { status: 409 })
        }
        const limited = AbortSignal.any([signal, AbortSignal.timeout(10_000)])
        try {
          await purge(akamai.get(), { tags: ['connection-test'], urls: [] }, { fetch, signal: limited })
        } catch (error) {
          const reason = error instanceof Error ? error.message : 'Akamai could not be reached.'
          throw new RestError('akamai_failed', reason, { status: 502 })
        }
        return success({ host: akamai.get().host })
      },
    })
  },
})
