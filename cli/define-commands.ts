import type { Command } from 'commander'

/** Commands by name. Each is loaded when it is called: together they are a good part of what a start takes. */
export type Commands = Readonly<Record<string, () => Promise<Command>>>

/**
 * Types the commands that a plugin brings, in `cli/index.ts` of its folder; it returns what it is given. That file loads
 * nothing but what it names, since it is read whenever a command is none of the host's own.
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
