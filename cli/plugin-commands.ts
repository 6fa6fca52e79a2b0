import { existsSync, readdirSync } from 'node:fs'
import { extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Checks, Commands } from './define-commands.ts'
import type { DoctorCheck } from './doctor/types.ts'

const PLUGINS = join(import.meta.dirname, '../plugins')
/** Compiled in the npm package. */
const ENTRY = `cli/index${extname(import.meta.filename)}`

/** What `cli/index` in the folder of a plugin exports. */
interface Entry {
  readonly default: Commands
  readonly checks?: Checks
}

/** The commands that the product's plugins bring: of each what `cli/index` in its folder exports. */
export async function pluginCommands(): Promise<Commands> {
  const entries = await pluginEntries()
  return Object.assign({}, ...entries.map((entry) => entry.default))
}

/** The checks that the product's plugins add to `pentad doctor`. */
export async function pluginChecks(): Promise<DoctorCheck[]> {
  const entries = await pluginEntries()
  const lists = await Promise.all(entries.map(({ checks }) => checks?.() ?? []))
  return lists.flat()
}

function pluginEntries(): Promise<Entry[]> {
  const files = readdirSync(PLUGINS)
    .sort()
    .map((folder) => join(PLUGINS, folder, ENTRY))
    .filter((file) => existsSync(file))
  return Promise.all(files.map((file): Promise<Entry> => import(pathToFileURL(file).href)))
}
