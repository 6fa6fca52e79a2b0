import { z } from 'zod'

/** What an owner can set. */
export const settingsSchema = z.object({
  urls: z
    .array(z.url({ protocol: /^https?$/ }))
    .max(10)
    .default([])
    .meta({ title: 'Addresses', description: 'Each is sent every purge. Only https, and only on the internet.' }),
  secret: z
    .string()
    .regex(/^(whsec_[A-Za-z0-9+/]{32,86}={0,2})?$/, 'must be whsec_ and the base64 of 24 to 64 random bytes')
    .default('')
    .meta({
      title: 'Secret',
      description: 'Signs what is sent: `whsec_` and base64.',
      secret: true,
      boundTo: ['urls'],
    }),
})
