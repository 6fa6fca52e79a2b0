import { defineExtension, settingsRoute } from 'pentad'
import { registerAbilities } from './abilities.ts'
import { registerBreadcrumbs } from './breadcrumbs/index.ts'
import { registerFeedSignature } from './feed/index.ts'
import { registerFields } from './fields.ts'
import { registerHead } from './head/index.ts'
import { filterShapes } from './hooks.ts'
import { createIndexable } from './indexable.ts'
import { registerIndexNow } from './indexnow/index.ts'
import { registerLegacyReport } from './legacy/index.ts'
import { registerMigration } from './legacy/migration-job.ts'
import { registerLinks } from './links/index.ts'
import { filterShapes as llmsTxtFilters } from './llms-txt/hooks.ts'
import { registerLlmsTxt } from './llms-txt/index.ts'
import { registerNotifications } from './notifications/index.ts'
import { registerOverview } from './overview/index.ts'
import { registerPreview } from './preview/index.ts'
import { registerRedirects } from './redirects/index.ts'
import { registerRobotsTxt } from './robots-txt/index.ts'
import { filterShapes as schemaFilters } from './schema/hooks.ts'
import { registerSchema } from './schema/json-ld.ts'
import { registerScore } from './score/index.ts'
import { settingsSchema } from './settings.ts'
import { registerSetup } from './setup/index.ts'
import { filterShapes as sitemapFilters } from './sitemap/hooks.ts'
import { registerSitemap } from './sitemap/index.ts'
import { registerSnippet } from './snippet/index.ts'
import { registerVisits } from './visits/index.ts'

/**
 * The SEO service: titles and meta tags, sitemaps, structured data, redirects, the 404 log and AI analytics (`seo/v1`).
 */
export default defineExtension({
  id: 'seo',
  name: 'SEO',
  version: '1.0.0-beta.1',
  description: 'Titles and meta tags, sitemaps, structured data, redirects, 404 monitoring, and AI crawler analytics.',
  async setup(host) {
    host.hooks.declareFilters({ ...filterShapes, ...llmsTxtFilters, ...schemaFilters, ...sitemapFilters })
    const settings = host.settings.register(settingsSchema)
    host.rest.registerRoute('seo/v1', settingsRoute(settings))
    registerFields(host)
    host.hooks.addFilter('wp_add_privacy_policy_content', async (sections) => {
      const { __ } = await host.textsFor()
      return [
        ...sections,
        {
          title: __('Missing pages'),
          paragraphs: [
            __(
              'When a page is not found, we store its address, the page that linked to it, and the type of browser, but not who requested it.',
            ),
          ],
        },
      ]
    })
    const redirects = await registerRedirects(host, { settings: settings.get })
    const { missing, crawls } = await registerVisits(host, { settings, redirects })
    registerOverview(host, { settings: settings.get, redirects, missing, crawls })
    registerSetup(host, { settings })
    registerLegacyReport(host)
    registerMigration(host, { settings, redirects })
    registerNotifications(host, { settings: settings.get })
    const indexable = createIndexable(host, settings.get)
    const head = registerHead(host, { settings: settings.get })
    registerSnippet(host, { settings: settings.get, head })
    registerPreview(host, { settings: settings.get })
    registerBreadcrumbs(host, { settings: settings.get, head })
    registerFeedSignature(host, { settings: settings.get })
    registerSchema(host, { settings: settings.get, head })
    const sitemap = registerSitemap(host, { settings: settings.get, indexable })
    registerRobotsTxt(host, { settings: settings.get, sitemap })
    registerLlmsTxt(host, { settings: settings.get, indexable })
    await registerIndexNow(host, { settings: settings.get, indexable })
    await registerLinks(host, { indexable })
    registerScore(host)
    registerAbilities(host)
  },
})
