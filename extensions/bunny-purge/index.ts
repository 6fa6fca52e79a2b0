import { defineExtension, isOfPages, isSharedPage, RestError, success, successSchema } from 'pentad'
import { purge } from './purge.ts'
import { settingsSchema } from './settings.ts'

/** Every page has this tag. */
const ALL = { tags: ['site'], urls: [] }
/** Bunny reads this many characters of `CDN-Tag`. */
const MAX_TAGS = 1024

export default defineExtension({
  id: 'bunny-purge',
  name: 'Bunny',
  version: '1.0.0',
  description: 'Purges pages from the cache of Bunny CDN when they change.',
  setup({ changes, fetch, hooks, rest, settings }) {
    const bunny = settings.register(settingsSchema)
    const isSetUp = () => bunny.get().pullZoneId !== '' && bunny.get().apiKey !== ''

    changes.follow({
      name: 'Bunny',
      caches: () => (isSetUp() ? [bunny.get().pullZoneId] : []),
      budget: { burst: 120, perMinute: 300, cost: ({ urls, tags }) => Math.max(1, urls.length + tags.length) },
      purge: ({ scope, urls, tags }, signal) =>
        purge(bunny.get(), isOfPages(scope) ? { tags, urls } : ALL, { fetch, signal }),
    })

    hooks.addFilter(
      'wp_headers',
      (headers, page) => {
        const tags = headers['Cache-Tag'] ?? ''
        // With fewer tags, a change could not be purged.
        if (!isSharedPage(headers, page) || tags.length > MAX_TAGS) return headers
        return { ...headers, 'CDN-Cache-Control': `max-age=${bunny.get().lifetimeSeconds}`, 'CDN-Tag': tags }
      },
      1000,
    )

    rest.registerRoute('bunny-purge/v1', {
      method: 'POST',
      path: '/test',
      access: 'manage_options',
      summary: 'Tests the connection by purging a tag that no page has.',
      response: successSchema(settingsSchema.pick({ pullZoneId: true })),
      async handler({ signal }) {
        if (!isSetUp()) {
          const message = 'Bunny is not configured. Enter the pull zone ID and an API key in the settings.'
          throw new RestError('bunny_not_set_up', message, { status: 409 })
        }
        const limited = AbortSignal.any([signal, AbortSignal.timeout(10_000)])
        try {
          await purge(bunny.get(), { tags: ['connection-test'], urls: [] }, { fetch, signal: limited })
        } catch (error) {
          const reason = error instanceof Error ? error.message : 'Bunny could not be reached.'
          throw new RestError('bunny_failed', reason, { status: 502 })
        }
        return success({ pullZoneId: bunny.get().pullZoneId })
      },
    })
  },
})
