import { defineChecks, defineCommands } from 'pentad/cli'

export default defineCommands({
  cache: async () => (await import('./cache.ts')).cacheCommand(),
})

export const checks = defineChecks(async () => [(await import('./doctor.ts')).checkPageCache])
