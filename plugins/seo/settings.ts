import { z } from 'zod'
import { breadcrumbSettings } from './breadcrumbs/settings.ts'
import { feedSettings } from './feed/settings.ts'
import { headSettings } from './head/settings.ts'
import { indexNowSettings } from './indexnow/settings.ts'
import { llmsTxtSettings } from './llms-txt/settings.ts'
import { notificationSettings } from './notifications/settings.ts'
import { redirectSettings } from './redirects/settings.ts'
import { robotsTxtSettings } from './robots-txt/settings.ts'
import { schemaSettings } from './schema/settings.ts'
import { setupSettings } from './setup/settings.ts'
import { sitemapSettings } from './sitemap/settings.ts'
import { visitSettings } from './visits/settings.ts'

/** Settings of the SEO service: `PUT /seo/v1/settings`. Each part defines its own. */
export const settingsSchema = z.object({
  ...redirectSettings,
  ...headSettings,
  ...breadcrumbSettings,
  ...feedSettings,
  ...indexNowSettings,
  ...notificationSettings,
  ...setupSettings,
  ...llmsTxtSettings,
  ...robotsTxtSettings,
  ...schemaSettings,
  ...sitemapSettings,
  ...visitSettings,
})

export type SeoSettings = z.output<typeof settingsSchema>
