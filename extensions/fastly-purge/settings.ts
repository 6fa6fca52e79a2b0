import { z } from 'zod'

/** What an owner can set. */
export const settingsSchema = z.object({
  serviceId: z
    .string()
    .regex(/^[0-9A-Za-z]{0,64}$/, 'must be letters and digits')
    .default('')
    .meta({ title: 'Service id', description: 'From the page of the service.' }),
  apiToken: z
    .string()
    .regex(/^[\x21-\x7e]{0,200}$/, 'must be printable characters without spaces')
    .default('')
    .meta({ title: 'API token', description: 'With the scopes purge_select and purge_all.', secret: true }),
  softPurge: z
    .enum(['on', 'off'])
    .default('off')
    .meta({ title: 'Soft purge', description: 'Old pages stay for visitors while Fastly fetches new ones.' }),
  lifetimeSeconds: z.int().min(1).max(31_536_000).default(43_200).meta({
    title: 'Lifetime',
    description: 'Seconds for which the cache keeps a page that does not change.',
  }),
})
