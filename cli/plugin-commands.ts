import { existsSync, readdirSync } from 'node:fs'
import { extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Commands } from './define-commands.ts'

const PLUGINS = join(import.meta.dirname, '../plugins')
/** Compiled in the npm package. */
const ENTRY = `cli/index${extname(import.meta.filename)}`

/** The commands that the product's plugins bring: of each what `cli/index` in its folder exports. */
export async function pluginCommands(): Promise<Commands> {
  const files = readdirSync(PLUGINS)
    .sort()
    .map((folder) => join(PLUGINS, folder, ENTRY))
    .filter((file) => existsSync(file))
  const found = await Promise.all(files.map(commandsOf))
  return Object.assign({}, ...found)
}

async function commandsOf(file: string): Promise<Commands> {
  const { default: commands }: { default: Commands } = await import(pathToFileURL(file).href)
  return commands
}
