import { defineExtension, isOfPages, isSharedPage, PurgeRejectedError, RestError, success, successSchema } from 'pentad'
import { purgeByMethod, purgeFolder, type Targets } from './purge.ts'
import { settingsSchema } from './settings.ts'

const ALL: Targets = new Set(['site'])

export default defineExtension({
  id: 'nginx-purge',
  name: 'nginx',
  version: '1.0.0',
  description: 'Purges pages from the nginx cache when they change.',
  setup({ changes, hooks, rest, settings, site }) {
    const nginx = settings.register(settingsSchema)

    async function purge(targets: Targets, signal: AbortSignal, soft = false): Promise<string | undefined> {
      const { folder, address } = nginx.get()
      if (folder) await purgeFolder(folder, targets, { soft, signal })
      else if (address) return purgeByMethod(address, targets, new URL(site.url).host, signal)
    }

    changes.follow({
      name: 'nginx',
      caches: () => [nginx.get().folder || nginx.get().address].filter(Boolean),
      async purge({ scope, urls, tags, soft }, signal) {
        const failure = await purge(isOfPages(scope) ? new Set([...urls, ...tags]) : ALL, signal, soft)
        if (failure) throw new PurgeRejectedError(failure)
      },
    })

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
