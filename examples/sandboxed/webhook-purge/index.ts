import { defineExtension } from 'pentad/sandbox'
import { z } from 'zod'

/** Notifies another service of purged pages, as Standard Webhooks define it (https://www.standardwebhooks.com). */
export default defineExtension({
  id: 'sandboxed-webhook-purge',
  name: 'Purge webhook',
  version: '1.0.0',
  description: 'Notifies another service of purged pages.',
  isolation: 'sandbox',
  permissions: {
    hooks: ['speed_purged'],
    settings: true,
    fetch: { hostsFromSettings: ['url'], methods: ['POST'], perMinute: 60 },
  },
  setup({ hooks, settings, secrets, fetch, log }) {
    const webhook = settings.register(
      z.object({
        url: z
          .union([z.literal(''), z.url({ protocol: /^https?$/ })])
          .default('')
          .meta({ title: 'Webhook URL' }),
        secret: z
          .string()
          .default('')
          .meta({ title: 'Secret', secret: true, boundTo: ['url'] }),
      }),
    )
    hooks.addAction('speed_purged', async ({ scope, urls, tags }) => {
      const { url, secret } = webhook.get()
      if (url === '' || secret === '') return
      const id = `msg_${crypto.randomUUID()}`
      const time = String(Math.floor(Date.now() / 1000))
      const body = JSON.stringify({ type: 'speed.purged', data: { scope, urls, tags } })
      // The secret is a handle: only the host knows its value.
      const key = { prefix: 'whsec_', encoding: 'base64' } as const
      const signature = secrets.hmac(secret, `${id}.${time}.${body}`, { key })
      const headers = {
        'Content-Type': 'application/json',
        ...{ 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': `v1,${signature}` },
      }
      const { status } = await fetch(url, { method: 'POST', headers, body })
      if (status >= 300) log.warn({ status }, 'webhook failed')
    })
  },
})
