import { z } from 'zod'

/** Settings of the Cloudflare extension. */
export const settingsSchema = z.object({
  zoneId: z
    .string()
    .regex(/^([0-9a-f]{32})?$/, 'It must be 32 hexadecimal digits.')
    .default('')
    .meta({ title: 'Zone ID', description: 'Shown on the overview page of the domain in Cloudflare.' }),
  apiToken: z
    .string()
    .regex(/^[\x21-\x7e]{0,200}$/, 'It must not contain spaces or special characters.')
    .default('')
    .meta({ title: 'API token', description: 'A token with the Cache Purge permission for the zone.', secret: true }),
  requestsPerMinute: z.int().min(5).max(3000).default(5).meta({
    title: 'Requests per minute',
    description:
      'Purge requests that your Cloudflare plan permits: 5 for Free, 300 for Pro, 600 for Business, 3,000 for Enterprise.',
  }),
  lifetimeSeconds: z.int().min(1).max(31_536_000).default(43_200).meta({
    title: 'Cache lifespan',
    description: 'How long Cloudflare caches a page, in seconds.',
  }),
})
