import { z } from 'zod'

/** What an owner can set. */
export const settingsSchema = z.object({
  zoneId: z
    .string()
    .regex(/^([0-9a-f]{32})?$/, 'must be the 32 hexadecimal digits of the zone’s overview page')
    .default('')
    .meta({ title: 'Zone id', description: 'From the overview page of the domain.' }),
  apiToken: z
    .string()
    .regex(/^[\x21-\x7e]{0,200}$/, 'must be printable characters without spaces')
    .default('')
    .meta({ title: 'API token', description: 'With the permission Cache Purge for that zone.', secret: true }),
  lifetimeSeconds: z.int().min(1).max(31_536_000).default(43_200).meta({
    title: 'Lifetime',
    description: 'Seconds for which the cache keeps a page that does not change.',
  }),
})
