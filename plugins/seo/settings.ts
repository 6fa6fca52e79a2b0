import { z } from 'zod'
import { headSettings } from './head/settings.ts'
import { redirectSettings } from './redirects/settings.ts'

/** Settings of the SEO service (contract 5): `PUT /seo/v1/settings`. Each part has its own among its files. */
export const settingsSchema = z.object({
  ...redirectSettings,
  ...headSettings,
})

export type SeoSettings = z.output<typeof settingsSchema>
