import { defineCommands } from 'pentad/cli'

export default defineCommands({
  cache: async () => (await import('./cache.ts')).cacheCommand(),
})
