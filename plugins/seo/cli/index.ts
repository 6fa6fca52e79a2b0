import { defineCommands } from 'pentad/cli'

export default defineCommands({
  seo: async () => (await import('./seo.ts')).seoCommand(),
})
