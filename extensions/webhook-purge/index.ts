import { defineExtension, type Queue, RestError, success, successSchema } from 'pentad'
import { z } from 'zod'
import { deliver, type Message } from './deliver.ts'
import { mergePurges, type Purge } from './merge.ts'
import { settingsSchema } from './settings.ts'

/** Option that is set while purges are queued, so that none is lost on restart. */
const UNSENT = 'webhook-purge_unsent'
type Waiting = { readonly id: string; readonly purge: Purge }
const ALL: Purge = { scope: 'everything', urls: [], tags: [], reason: 'The site was restarted.' }

export default defineExtension({
  id: 'webhook-purge',
  name: 'Purge webhooks',
  version: '1.0.0',
  description: 'Notifies other services of purged pages with signed webhooks.',
  setup({ hooks, jobs, options, rest, settings, site }) {
    const webhook = settings.register(settingsSchema)
    /** One queue per receiver, so that one that is down does not delay the others. */
    const queues = new Map<string, Queue<Waiting>>()
    const isSetUp = () => webhook.get().urls.length > 0 && webhook.get().secret !== ''
    const allowLoopback = site.environment === 'local'
    const send = (url: string, message: Message, signal: AbortSignal) =>
      deliver(url, message, { secret: webhook.get().secret, allowLoopback, signal })

    function createQueue(url: string): Queue<Waiting> {
      const { queue } = jobs.createQueue<Waiting>({
        name: 'webhook-purge',
        merge: (waiting, added) => ({ id: added.id, purge: mergePurges(waiting.purge, added.purge) }),
        ...{ timeout: 15_000, retries: 300, longestWait: 300_000 },
        async work({ id, purge }, signal) {
          if (webhook.get().urls.includes(url)) await send(url, { id, type: 'speed.purged', data: purge }, signal)
          const isLast = queues.values().every((other) => other.size === (other === queue ? 1 : 0))
          if (isLast) await options.delete(UNSENT)
        },
      })
      queues.set(url, queue)
      return queue
    }

    function push(purge: Purge): void {
      const item = { id: `msg_${crypto.randomUUID()}`, purge }
      for (const url of webhook.get().urls) (queues.get(url) ?? createQueue(url)).push(item)
    }
    hooks.addAction('speed_purged', async (purge) => {
      if (!isSetUp()) return
      push(purge)
      await options.update(UNSENT, true)
    })
    if (options.get(UNSENT)) push(ALL)

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
