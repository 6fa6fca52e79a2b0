import { existsSync, readdirSync } from 'node:fs'
import { extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Commands } from './define-commands.ts'

const PLUGINS = join(import.meta.dirname, '../plugins')
/** Compiled in the npm package. */
const ENTRY = `cli/index${extname(import.meta.filename)}`

/** What `cli/index` in the folder of a plugin exports. */
interface Entry {
  readonly default: Commands
}

/** The commands that the product's plugins bring: of each what `cli/index` in its folder exports. */
export async function pluginCommands(): Promise<Commands> {
  const files = readdirSync(PLUGINS)
    .sort()
    .map((folder) => join(PLUGINS, folder, ENTRY))
    .filter((file) => existsSync(file))
  const entries = await Promise.all(files.map((file): Promise<Entry> => import(pathToFileURL(file).href)))
  return Object.assign({}, ...entries.map((entry) => entry.default))
}
