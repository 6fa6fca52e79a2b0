import { z } from 'zod'

/** Settings of the Fastly extension. */
export const settingsSchema = z.object({
  serviceId: z
    .string()
    .regex(/^[0-9A-Za-z]{0,64}$/, 'It must contain only letters and digits.')
    .default('')
    .meta({ title: 'Service ID', description: 'Shown on the overview page of the service in Fastly.' }),
  apiToken: z
    .string()
    .regex(/^[\x21-\x7e]{0,200}$/, 'It must not contain spaces or special characters.')
    .default('')
    .meta({ title: 'API token', description: 'A token with the scopes purge_select and purge_all.', secret: true }),
  lifetimeSeconds: z.int().min(1).max(31_536_000).default(43_200).meta({
    title: 'Cache lifespan',
    description: 'How long Fastly caches a page, in seconds.',
  }),
})
