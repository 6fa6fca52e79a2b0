import { defineExtension, settingsRoute } from 'pentad'
import { settingsSchema } from './settings.ts'

/** The AI service: copilot, generation, helpdesk, related posts, tools for browser agents (`ai/v1`). */
export default defineExtension({
  id: 'ai',
  name: 'AI',
  version: '0.1.0',
  description: 'Writes with a model, answers visitors, and gives agents tools to work with the site.',
  setup(host) {
    const settings = host.settings.register(settingsSchema)
    host.rest.registerRoute('ai/v1', settingsRoute(settings))
  },
})
