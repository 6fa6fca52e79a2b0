import { z } from 'zod'

/** What an owner can set. */
export const settingsSchema = z.object({
  folder: z
    .string()
    .regex(/^(\/.{0,1000})?$/, 'must be an absolute path')
    .default('')
    .meta({ title: 'Cache folder', description: 'Of `proxy_cache_path`, if this site may delete files in it.' }),
  address: z
    .union([z.literal(''), z.url({ protocol: /^http$/ })])
    .default('')
    .meta({ title: 'Address for PURGE', description: 'Of nginx with the module cache-purge 2.4: `http://127.0.0.1`.' }),
  lifetimeSeconds: z.int().min(1).max(31_536_000).default(43_200).meta({
    title: 'Lifetime',
    description: 'Seconds for which the cache keeps a page that does not change.',
  }),
})
