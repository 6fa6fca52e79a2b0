import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Commands } from './define-commands.ts'

const PLUGINS = join(import.meta.dirname, '../plugins')

/** The commands that the product's plugins bring: of each what `cli/index.ts` in its folder exports. */
export async function pluginCommands(): Promise<Commands> {
  const files = readdirSync(PLUGINS)
    .sort()
    .map((folder) => join(PLUGINS, folder, 'cli/index.ts'))
    .filter((file) => existsSync(file))
  const found = await Promise.all(files.map(commandsOf))
  return Object.assign({}, ...found)
}

async function commandsOf(file: string): Promise<Commands> {
  const { default: commands }: { default: Commands } = await import(pathToFileURL(file).href)
  return commands
}
