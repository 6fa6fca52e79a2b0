import { defineExtension, isOfPages, isSharedPage, RestError, success, successSchema } from 'pentad'
import { purge, type Targets } from './purge.ts'
import { settingsSchema } from './settings.ts'

/** Every page has this tag. */
const ALL: Targets = new Set(['site'])

export default defineExtension({
  id: 'varnish-purge',
  name: 'Varnish',
  version: '1.0.0',
  description: 'Purges pages from the Varnish cache when they change.',
  setup({ changes, hooks, rest, settings }) {
    const varnish = settings.register(settingsSchema)

    changes.follow({
      name: 'Varnish',
      caches: () => varnish.get().nodes,
      purge: ({ cache, scope, urls, tags, soft }, signal) =>
        purge([cache], isOfPages(scope) && !tags.includes('site') ? new Set([...urls, ...tags]) : ALL, {
          ...{ secret: varnish.get().secret, soft, signal },
        }),
    })

    hooks.addFilter(
      'wp_headers',
      (headers, page) =>
        isSharedPage(headers, page)
          ? { ...headers, 'Surrogate-Control': `max-age=${varnish.get().lifetimeSeconds}` }
          : headers,
      1000,
    )

    rest.registerRoute('varnish-purge/v1', {
      method: 'POST',
      path: '/test',
      access: 'manage_options',
      summary: 'Tests the connection to all Varnish nodes by banning a tag that no page has.',
      response: successSchema(settingsSchema.pick({ nodes: true })),
      async handler({ signal }) {
        const { nodes, secret } = varnish.get()
        if (nodes.length === 0)
          throw new RestError(
            'varnish_not_set_up',
            'Varnish is not configured. Enter the Varnish nodes in the settings.',
            { status: 409 },
          )
        try {
          const limited = AbortSignal.any([signal, AbortSignal.timeout(5000)])
          await purge(nodes, new Set(['connection-test']), { secret, signal: limited })
        } catch (error) {
          throw new RestError('varnish_failed', error instanceof Error ? error.message : 'The purge failed.', {
            status: 502,
          })
        }
        return success({ nodes })
      },
    })
  },
})
