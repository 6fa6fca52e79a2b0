import { z } from 'zod'

/** Settings of the Varnish extension. */
export const settingsSchema = z.object({
  nodes: z
    .array(z.url({ protocol: /^http$/ }))
    .max(20)
    .default([])
    .meta({
      title: 'Varnish nodes',
      description: 'URLs of all Varnish nodes of this site, such as http://127.0.0.1:6081.',
    }),
  secret: z
    .string()
    .regex(/^[\x21-\x7e]{0,200}$/, 'It must not contain spaces or special characters.')
    .default('')
    .meta({
      title: 'Secret',
      description: 'Sent in the X-Purge-Secret header. Required if the VCL checks it.',
      secret: true,
      boundTo: ['nodes'],
    }),
  lifetimeSeconds: z.int().min(1).max(31_536_000).default(43_200).meta({
    title: 'Cache lifespan',
    description: 'How long Varnish caches a page, in seconds.',
  }),
})
