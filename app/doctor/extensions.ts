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
  const { config, texts } = site
  const { __ } = texts
  const added = config.extensionsDir === undefined ? [] : [config.extensionsDir]
  const folders = [SERVICES, join(PRODUCT, 'extensions'), ...added, join(config.siteDir, 'extensions')]
  const found = await discoverExtensions({ folders, paths: [] }, { builds: NO_BUILDS, warnOfTwins() {} })
  const sources = [...found.values()].sort((one, other) => one.id.localeCompare(other.id, 'en'))
  const problems = sources.flatMap((source) => describe(source, stateOf(source, states), texts))
  const missing = [...states].flatMap(([id, { state }]) =>
    state === 'inactive' || found.has(id)
      ? []
      : [
          error(
            CHECK,
            state === 'active'
              ? __('The files of the active extension %s are missing.', id)
              : __('The files of the paused extension %s are missing.', id),
            __('Restore them, or run: %s', command('deactivate', id)),
            deactivation(id),
          ),
        ],
  )
  const active = sources
    .filter((source) => stateOf(source, states).state === 'active')
    .map(({ id, version }) => `${id} ${version}`)
  const summary = active.length > 0 ? __('Active: %s.', active.join(', ')) : __('No extensions are active.')
  return [...problems, ...missing, ...checkFaults(config.siteDir, texts), ok(CHECK, summary)]
}

function describe({ id, problem, entry }: Source, { state, reason }: State, { __ }: ExaminedSite['texts']): Finding[] {
  if (problem !== null && state !== 'inactive')
    return [
      error(
        CHECK,
        __('%1$s cannot be loaded: %2$s', id, problem),
        __('Fix %1$s, or run: %2$s', entry, command('deactivate', id)),
        deactivation(id),
      ),
    ]
  if (state === 'paused') {
    const message = __('%1$s is paused: %2$s', id, reason ?? __('no reason was stored.'))
    return [error(CHECK, message, __('Fix the extension, then run: %s', command('activate', id)), details(id))]
  }
  if (state === 'active' && reason !== null)
    return [
      warning(
        CHECK,
        __('%1$s is running an older version, because the current one failed: %2$s', id, reason),
        __('Fix %s.', entry),
        details(id),
      ),
    ]
  return problem === null
    ? []
    : [
        warning(
          CHECK,
          __('The inactive extension %1$s cannot be loaded: %2$s', id, problem),
          __('Fix or delete %s.', entry),
        ),
      ]
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
function checkFaults(siteDir: string, { __, _n }: ExaminedSite['texts']): Finding[] {
  try {
    const count = readdirSync(faultFolder(siteDir)).length
    if (count === 0) return []
    const message = _n(
      'The site has stopped unexpectedly once since its last start.',
      'The site has stopped unexpectedly %s times since its last start.',
      count,
    )
    const fix = __('Start the site: it pauses the extension at fault, and the log names the cause.')
    return [warning(CHECK, message, fix)]
  } catch {
    // There is no such folder before the first fault.
    return []
  }
}
