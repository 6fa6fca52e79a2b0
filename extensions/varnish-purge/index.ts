import { defineExtension, isSharedPage, RestError, success, successSchema } from 'pentad'
import { purge, type Targets } from './purge.ts'
import { settingsSchema } from './settings.ts'

/** Every page has this tag. */
const ALL: Targets = new Set(['site'])
/** Maximum queued URLs and tags. More of them purge everything. */
const MOST_WAITING = 2000
/** Option that is set while purges are queued, so that none is lost on restart. */
const UNSENT = 'varnish-purge_unsent'

export default defineExtension({
  id: 'varnish-purge',
  name: 'Varnish',
  version: '1.0.0',
  description: 'Purges pages from the Varnish cache when they change.',
  setup({ hooks, jobs, options, rest, settings }) {
    const varnish = settings.register(settingsSchema)

    const { queue } = jobs.createQueue<Targets>({
      name: 'varnish-purge',
      merge: (waiting, added) => (waiting.size + added.size > MOST_WAITING ? ALL : waiting.union(added)),
      ...{ timeout: 60_000, retries: 300, longestWait: 300_000, repeatAfter: 5000 },
      async work(targets, signal) {
        const { nodes, secret } = varnish.get()
        await purge(nodes, secret, targets.isSupersetOf(ALL) ? ALL : targets, signal)
        if (queue.size === 1) await options.delete(UNSENT)
      },
    })
    hooks.addAction('speed_purged', async ({ scope, urls, tags }) => {
      if (varnish.get().nodes.length === 0) return
      queue.push(scope === 'url' || scope === 'urls' ? new Set([...urls, ...tags]) : ALL)
      await options.update(UNSENT, true)
    })
    if (options.get(UNSENT)) queue.push(ALL)

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
          await purge(nodes, secret, new Set(['connection-test']), limited)
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
