import { z } from 'zod'

/** Settings of the Bunny extension. */
export const settingsSchema = z.object({
  pullZoneId: z
    .string()
    .regex(/^\d{0,20}$/, 'It must be a number.')
    .default('')
    .meta({ title: 'Pull zone ID', description: 'Shown on the overview page of the pull zone in bunny.net.' }),
  apiKey: z
    .string()
    .regex(/^[\x21-\x7e]{0,200}$/, 'It must not contain spaces or special characters.')
    .default('')
    .meta({ title: 'API key', description: 'The API key of the account.', secret: true }),
  lifetimeSeconds: z.int().min(1).max(31_536_000).default(43_200).meta({
    title: 'Cache lifespan',
    description: 'How long Bunny caches a page, in seconds.',
  }),
})
