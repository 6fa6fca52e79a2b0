import { defineCommands } from 'pentad/cli'

export default defineCommands({
  backup: async () => (await import('./backup.ts')).backupCommand(),
})
