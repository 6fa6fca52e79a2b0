import { z } from 'zod'

/** Settings of the nginx extension. */
export const settingsSchema = z.object({
  folder: z
    .string()
    .regex(/^(\/.{0,1000})?$/, 'It must be an absolute path.')
    .default('')
    .meta({ title: 'Cache folder', description: 'The folder in proxy_cache_path. The site needs write access.' }),
  address: z
    .union([z.literal(''), z.url({ protocol: /^http$/ })])
    .default('')
    .meta({
      title: 'PURGE URL',
      description: 'URL of nginx with the cache-purge module 2.4 or later, such as http://127.0.0.1.',
    }),
  lifetimeSeconds: z.int().min(1).max(31_536_000).default(43_200).meta({
    title: 'Cache lifespan',
    description: 'How long nginx caches a page, in seconds.',
  }),
})
