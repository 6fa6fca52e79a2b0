import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { faultFolder } from '../../app/faults/fault.ts'
import type { BuildCache } from '../../app/loader/build-cache.ts'
import { discoverExtensions, type Source } from '../../app/loader/discover.ts'
import { ownCommand } from '../own-command.ts'
import { type DoctorCheck, type ExaminedSite, error, type Finding, type FindingAction, ok, warning } from './types.ts'

const CHECK = 'extensions'
const PRODUCT = join(import.meta.dirname, '../..')
const SERVICES = join(PRODUCT, 'plugins')

const stateSchema = z.object({
  state: z.enum(['active', 'inactive', 'paused']),
  reason: z.string().nullable().default(null),
})
type State = z.output<typeof stateSchema>

/** Reads no cached builds, and writes none. */
const NO_BUILDS: BuildCache = {
  read: async () => undefined,
  write() {},
  readCompiled: async () => undefined,
  writeCompiled() {},
  close: async () => {},
}

/** The extensions in all folders, and their stored states. */
export const checkExtensions: DoctorCheck = async (site) => {
  const states = readStates(site)
  const { config } = site
  const added = config.extensionsDir === undefined ? [] : [config.extensionsDir]
  const folders = [SERVICES, join(PRODUCT, 'extensions'), ...added, join(config.siteDir, 'extensions')]
  const found = await discoverExtensions({ folders, paths: [] }, { builds: NO_BUILDS, warnOfTwins() {} })
  const sources = [...found.values()].sort((one, other) => one.id.localeCompare(other.id, 'en'))
  const problems = sources.flatMap((source) => describe(source, stateOf(source, states)))
  const missing = [...states].flatMap(([id, { state }]) =>
    state === 'inactive' || found.has(id)
      ? []
      : [
          error(
            CHECK,
            `The files of the ${state} extension ${id} are missing.`,
            `Restore them, or run: ${command('deactivate', id)}`,
            deactivation(id),
          ),
        ],
  )
  const active = sources
    .filter((source) => stateOf(source, states).state === 'active')
    .map(({ id, version }) => `${id} ${version}`)
  const summary = active.length > 0 ? `Active: ${active.join(', ')}.` : 'No extensions are active.'
  return [...problems, ...missing, ...checkFaults(config.siteDir), ok(CHECK, summary)]
}

function describe({ id, problem, entry }: Source, { state, reason }: State): Finding[] {
  if (problem !== null && state !== 'inactive')
    return [
      error(
        CHECK,
        `${id} cannot be loaded: ${problem}`,
        `Fix ${entry}, or run: ${command('deactivate', id)}`,
        deactivation(id),
      ),
    ]
  if (state === 'paused') {
    const fix = `Fix the extension, then run: ${command('activate', id)}`
    return [error(CHECK, `${id} is paused: ${reason ?? 'no reason was stored.'}`, fix, details(id))]
  }
  if (state === 'active' && reason !== null)
    return [
      warning(
        CHECK,
        `${id} is running an older version, because the current one failed: ${reason}`,
        `Fix ${entry}.`,
        details(id),
      ),
    ]
  return problem === null
    ? []
    : [warning(CHECK, `The inactive extension ${id} cannot be loaded: ${problem}`, `Fix or delete ${entry}.`)]
}

function deactivation(id: string): FindingAction {
  return { label: 'Deactivate', request: { method: 'POST', path: `host/v1/extensions/${id}/deactivate` } }
}

function details(id: string): FindingAction {
  return { label: 'Open extension', screen: `extensions/${id}` }
}

function command(verb: 'activate' | 'deactivate', id: string): string {
  return ownCommand(`extension ${verb} ${id}`)
}

/** Services are active unless an administrator has deactivated them. */
function stateOf({ id, folder }: Source, states: ReadonlyMap<string, State>): State {
  const isService = folder !== null && dirname(folder) === SERVICES
  return states.get(id) ?? { state: isService ? 'active' : 'inactive', reason: null }
}

function readStates({ options }: ExaminedSite): Map<string, State> {
  const stored = z.record(z.string(), z.unknown()).safeParse(options.host_extensions)
  return new Map(
    Object.entries(stored.data ?? {}).flatMap(([id, record]) => {
      const state = stateSchema.safeParse(record)
      return state.success ? [[id, state.data]] : []
    }),
  )
}

/** Fatal errors that no start has handled yet. */
function checkFaults(siteDir: string): Finding[] {
  try {
    const count = readdirSync(faultFolder(siteDir)).length
    if (count === 0) return []
    const message = `The site has stopped unexpectedly ${count === 1 ? 'once' : `${count} times`} since its last start.`
    return [warning(CHECK, message, 'Start the site: it pauses the extension at fault, and the log names the cause.')]
  } catch {
    // There is no such folder before the first fault.
    return []
  }
}
