import { z } from 'zod'

/** Settings of the KeyCDN extension. */
export const settingsSchema = z.object({
  zoneId: z
    .string()
    .regex(/^\d{0,20}$/, 'It must be a number.')
    .default('')
    .meta({ title: 'Zone ID', description: 'Shown in the list of zones in KeyCDN.' }),
  apiKey: z
    .string()
    .regex(/^[\x21-\x7e]{0,200}$/, 'It must not contain spaces or special characters.')
    .default('')
    .meta({ title: 'API key', description: 'The secret API key of the account.', secret: true }),
  lifetimeSeconds: z.int().min(1).max(31_536_000).default(43_200).meta({
    title: 'Cache lifespan',
    description: 'How long KeyCDN caches a page, in seconds.',
  }),
})
