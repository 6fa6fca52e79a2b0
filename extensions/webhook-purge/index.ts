import { defineExtension, RestError, success, successSchema } from 'pentad'
import { z } from 'zod'
import { deliver, type Message } from './deliver.ts'
import { settingsSchema } from './settings.ts'

export default defineExtension({
  id: 'webhook-purge',
  name: 'Purge webhooks',
  version: '1.0.0',
  description: 'Notifies other services of purged pages with signed webhooks.',
  setup({ changes, rest, settings, site }) {
    const webhook = settings.register(settingsSchema)
    const isSetUp = () => webhook.get().urls.length > 0 && webhook.get().secret !== ''
    const allowLoopback = site.environment === 'local'
    const send = (url: string, message: Message, signal: AbortSignal) =>
      deliver(url, message, { secret: webhook.get().secret, allowLoopback, signal })

    changes.follow({
      name: 'Purge webhooks',
      caches: () => (isSetUp() ? webhook.get().urls : []),
      repeats: false,
      purge: ({ cache, id, ...purge }, signal) =>
        send(cache, { id: `msg_${id}`, type: 'speed.purged', data: purge }, signal),
    })

    rest.registerRoute('webhook-purge/v1', {
      method: 'POST',
      path: '/test',
      access: 'manage_options',
      summary: 'Sends a test message to all webhook URLs.',
      response: successSchema(z.object({ urls: z.array(z.string()).describe('Host names of the receivers.') })),
      async handler({ signal }) {
        if (!isSetUp())
          throw new RestError(
            'webhook_not_set_up',
            'Webhooks are not configured. Enter a URL and a secret in the settings.',
            { status: 409 },
          )
        const limited = AbortSignal.any([signal, AbortSignal.timeout(10_000)])
        const test: Message = { id: `msg_${crypto.randomUUID()}`, type: 'speed.purge_test', data: {} }
        try {
          await Promise.all(webhook.get().urls.map((url) => send(url, test, limited)))
        } catch (error) {
          throw new RestError('webhook_failed', error instanceof Error ? error.message : 'No response.', {
            status: 502,
          })
        }
        return success({ urls: webhook.get().urls.map((url) => new URL(url).host) })
      },
    })
  },
})
