import type { Command } from 'commander'

/** Commands by name. Each is loaded only when it is called, because loading all of them would noticeably slow down startup. */
export type Commands = Readonly<Record<string, () => Promise<Command>>>

/**
 * Types the commands that a plugin adds in `cli/index.ts` in its folder; returns its argument. That file must import
 * nothing else, because it is loaded whenever a command is not one of the host's own.
 *
 * @example
 * ```ts
 * import { defineCommands } from 'pentad/cli'
 *
 * export default defineCommands({
 *   cache: async () => (await import('./cache.ts')).cacheCommand(),
 * })
 * ```
 */
export function defineCommands(commands: Commands): Commands {
  return commands
}
