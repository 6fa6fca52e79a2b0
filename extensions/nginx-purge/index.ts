import { defineExtension, isSharedPage, RestError, success, successSchema } from 'pentad'
import { purgeByMethod, purgeFolder, type Targets } from './purge.ts'
import { settingsSchema } from './settings.ts'

const ALL: Targets = new Set(['site'])
/** Maximum queued URLs and tags. More of them purge everything. */
const MOST_WAITING = 2000
/** Option that is set while purges are queued, so that none is lost on restart. */
const UNSENT = 'nginx-purge_unsent'

export default defineExtension({
  id: 'nginx-purge',
  name: 'nginx',
  version: '1.0.0',
  description: 'Purges pages from the nginx cache when they change.',
  setup({ hooks, jobs, log, options, rest, settings, site }) {
    const nginx = settings.register(settingsSchema)

    async function purge(targets: Targets, signal: AbortSignal): Promise<string | undefined> {
      const { folder, address } = nginx.get()
      if (folder) await purgeFolder(folder, targets, signal)
      else if (address) return purgeByMethod(address, targets, new URL(site.url).host, signal)
    }

    const { queue } = jobs.createQueue<Targets>({
      name: 'nginx-purge',
      merge: (waiting, added) => (waiting.size + added.size > MOST_WAITING ? ALL : waiting.union(added)),
      ...{ timeout: 60_000, retries: 300, longestWait: 300_000, repeatAfter: 5000 },
      async work(targets, signal) {
        const failure = await purge(targets, signal)
        if (failure) log.error({ reason: failure }, 'nginx could not purge all pages')
        if (queue.size === 1) await options.delete(UNSENT)
      },
    })
    hooks.addAction('speed_purged', async ({ scope, urls, tags }) => {
      if (!nginx.get().folder && !nginx.get().address) return
      queue.push(scope === 'url' || scope === 'urls' ? new Set([...urls, ...tags]) : ALL)
      await options.update(UNSENT, true)
    })
    if (options.get(UNSENT)) queue.push(ALL)

    hooks.addFilter(
      'wp_headers',
      (headers, page) =>
        isSharedPage(headers, page) ? { ...headers, 'X-Accel-Expires': String(nginx.get().lifetimeSeconds) } : headers,
      1000,
    )

    rest.registerRoute('nginx-purge/v1', {
      method: 'POST',
      path: '/test',
      access: 'manage_options',
      summary: 'Tests the connection by purging a page that does not exist.',
      response: successSchema(settingsSchema.pick({ folder: true, address: true }).partial()),
      async handler({ signal }) {
        const { folder, address } = nginx.get()
        if (!folder && !address)
          throw new RestError(
            'nginx_not_set_up',
            'nginx is not configured. Enter the cache folder or the PURGE URL in the settings.',
            { status: 409 },
          )
        try {
          const limited = AbortSignal.any([signal, AbortSignal.timeout(5000)])
          const failure = await purge(new Set([`${site.url}/connection-test/*`]), limited)
          if (failure) throw new Error(failure)
        } catch (error) {
          throw new RestError('nginx_failed', error instanceof Error ? error.message : 'The purge failed.', {
            status: 502,
          })
        }
        return success(folder ? { folder } : { address })
      },
    })
  },
})
