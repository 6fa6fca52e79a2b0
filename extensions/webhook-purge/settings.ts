import { z } from 'zod'

/** Settings of the purge webhooks. */
export const settingsSchema = z.object({
  urls: z
    .array(z.url({ protocol: /^https?$/ }))
    .max(10)
    .default([])
    .meta({ title: 'Webhook URLs', description: 'Receive every purge. Must be public HTTPS URLs.' }),
  secret: z
    .string()
    .regex(/^(whsec_[A-Za-z0-9+/]{32,86}={0,2})?$/, 'It must be whsec_ followed by 24 to 64 random bytes in base64.')
    .default('')
    .meta({
      title: 'Secret',
      description: 'Signs the messages: whsec_ followed by random bytes in base64.',
      secret: true,
      boundTo: ['urls'],
    }),
})
