import { createScripts, defineExtension, settingsRoute } from 'pentad'
import { registerAbilities } from './abilities.ts'
import { registerCopilot } from './copilot/index.ts'
import { registerGeneration } from './generation/index.ts'
import { filterShapes as helpdeskFilters } from './helpdesk/hooks.ts'
import { registerHelpdesk } from './helpdesk/index.ts'
import { registerMcp } from './mcp/index.ts'
import { createProviders } from './providers/index.ts'
import { filterShapes as relatedFilters } from './related/hooks.ts'
import { registerRelated } from './related/index.ts'
import { registerSearch } from './search/index.ts'
import { settingsSchema } from './settings.ts'
import { filterShapes as webMcpFilters } from './webmcp/hooks.ts'
import { registerWebMcp } from './webmcp/index.ts'

/** The AI service: copilot, generation, helpdesk, related posts, tools for browser agents (`ai/v1`). */
export default defineExtension({
  id: 'ai',
  name: 'AI',
  version: '1.0.0-beta.1',
  description: 'AI writing tools, a helpdesk for visitors, a copilot for administrators, and tools for AI agents.',
  async setup(host) {
    host.hooks.declareFilters({ ...helpdeskFilters, ...relatedFilters, ...webMcpFilters })
    const settings = host.settings.register(settingsSchema)
    host.rest.registerRoute('ai/v1', settingsRoute(settings))
    const providers = await createProviders(host, { settings })
    registerGeneration(host, { settings: settings.get, providers })
    host.hooks.addFilter('wp_add_privacy_policy_content', async (sections) => {
      const { __ } = await host.textsFor()
      return [
        ...sections,
        {
          title: __('AI'),
          paragraphs: [
            __(
              'Your questions to the helpdesk are sent to an AI provider, which answers them, and are stored without your name.',
            ),
          ],
        },
      ]
    })
    await registerCopilot(host, { settings: settings.get, providers })
    const scripts = createScripts(host, 'ai/scripts')
    await registerHelpdesk(host, { settings: settings.get, providers, scripts })
    await registerRelated(host, { settings: settings.get, providers })
    registerSearch(host)
    registerAbilities(host)
    registerMcp(host)
    registerWebMcp(host, { settings: settings.get, scripts })
  },
})
