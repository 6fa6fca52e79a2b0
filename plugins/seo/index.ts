import { defineExtension, settingsRoute } from 'pentad'
import { registerFields } from './fields.ts'
import { registerHead } from './head/index.ts'
import './hooks.ts'
import { createIndexable } from './indexable.ts'
import { settingsSchema } from './settings.ts'

/** The SEO service: what search engines and AI assistants see of the site, redirects and missing pages (`seo/v1`). */
export default defineExtension({
  id: 'seo',
  name: 'SEO',
  version: '0.1.0',
  description: 'Titles, sitemaps and structured data, redirects, missing pages, and what AI crawlers do.',
  setup(host) {
    const settings = host.settings.register(settingsSchema)
    host.rest.registerRoute('seo/v1', settingsRoute(settings))
    registerFields(host)
    const indexable = createIndexable(host, settings.get)
    const head = registerHead(host, { settings: settings.get })
  },
})
