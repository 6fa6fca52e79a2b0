import { defineChecks, defineCommands } from 'pentad/cli'

export default defineCommands({
  backup: async () => (await import('./backup.ts')).backupCommand(),
})

export const checks = defineChecks(async () => [(await import('./doctor.ts')).checkBackups])
