import { z } from 'zod'

/** What an owner can set. */
export const settingsSchema = z.object({
  nodes: z
    .array(z.url({ protocol: /^http$/ }))
    .max(20)
    .default([])
    .meta({ title: 'Varnish addresses', description: 'Every Varnish in front of this site: `http://127.0.0.1:6081`.' }),
  secret: z
    .string()
    .regex(/^[\x21-\x7e]{0,200}$/, 'must be printable characters without spaces')
    .default('')
    .meta({
      title: 'Secret',
      description: 'Sent as `X-Purge-Secret`, if the VCL asks for it.',
      secret: true,
      boundTo: ['nodes'],
    }),
  lifetimeSeconds: z.int().min(1).max(31_536_000).default(43_200).meta({
    title: 'Lifetime',
    description: 'Seconds for which the cache keeps a page that does not change.',
  }),
})
