import { join, relative } from 'node:path'
import { type ExtensionHost, RestError, type StagingDatabase } from 'pentad'
import type { StoredEntry } from '../archive/format.ts'
import type { Archive } from '../archive/open.ts'
import { openArchive } from '../archive/open.ts'
import { signingKeyOf } from '../archive/signature.ts'
import { asCorrupt } from '../archive-errors.ts'
import type { OpenedSource } from '../archive-source.ts'
import { knownCategories } from '../categories.ts'
import { pathExists } from '../missing-files.ts'
import type { Amount, Category } from '../types.ts'
import { carryOver } from './carry-over.ts'
import { countFiles, type FileCount } from './count-files.ts'
import { type LoadProgress, loadDatabase } from './load-database.ts'
import { namesOf, planReplacement, type RestorePlace, rewriteOptions } from './plan.ts'
import { flush, removeTree } from './remove-tree.ts'
import { createAddressRewriter } from './site-address.ts'
import type { RestoreState } from './state.ts'
import { type Quarantine, quarantine } from './untrusted-archive.ts'

/** The parts of the host that a restore needs: `host.site` in an extension; created by the command line. */
export type RestoreSite = Pick<
  ExtensionHost['site'],
  | 'dir'
  | 'extensionsDir'
  | 'url'
  | 'key'
  | 'replace'
  | 'lastReplacement'
  | 'openStagingDatabase'
  | 'removeStagingDatabase'
>

/** Percentage range of each stage. */
const SPAN = { verify: [0, 30], extract: [30, 60], database: [60, 92] } as const

/** Options for the work of one process on one restore. */
export interface RestoreOrders {
  /** Folder of the restore. */
  readonly folder: string
  /** Id of this process, used in names of its files and schemas. */
  readonly worker: string
  openSource(state: RestoreState): Promise<OpenedSource>
  /**
   * Creates the function that tells whether backups exclude a path; such paths are carried over into the restored site.
   */
  exclusion(): (path: string) => boolean
  /**
   * Decides that the site is replaced; called immediately before.
   * @returns `false` if the restore was canceled, or another process has taken over
   */
  decide(): Promise<boolean>
}

/**
 * The work of one process on one restore, in its own folder and schema: a paused process that resumes must not write
 * into the work of its successor.
 */
export interface RestoreWork {
  /** Works until the signal fires or a stage is finished. */
  advance(state: RestoreState, signal: AbortSignal): Promise<RestoreState>
  /** Closes open resources; files are kept. */
  close(): Promise<void>
}

/**
 * The part of a restore that does not change the site: reads the archive and prepares the new site in a staging area.
 */
export function createRestoreWork(
  site: RestoreSite,
  { folder, worker, openSource, exclusion, decide }: RestoreOrders,
): RestoreWork {
  let opened: { archive: Archive; source: OpenedSource } | undefined
  let verified: FileCount | undefined
  let extracting: { include: string[]; total: Amount; unpacked: FileCount } | undefined
  let carrying: AsyncGenerator<string | undefined> | undefined
  let quarantined: Quarantine | undefined
  let loading: { database: StagingDatabase; steps: AsyncGenerator<LoadProgress> } | undefined
  const own = workFolderOf(folder, worker)
  const unpacked = join(own, 'new')

  async function open(state: RestoreState): Promise<Archive> {
    if (opened) return opened.archive
    const source = await openSource(state)
    try {
      await removeTree(join(own, 'archive'))
      const archive = await openArchive(source.bytes, { workFolder: join(own, 'archive') })
      opened = { archive, source }
      return archive
    } catch (error) {
      await source.close()
      throw error
    }
  }

  async function verify(state: RestoreState, signal: AbortSignal): Promise<RestoreState> {
    const archive = await open(state)
    const contents = knownCategories(archive.manifest.contents)
    const isBegun = state.siteUrl !== null
    const { files, bytes } = archive.manifest.counts
    const known = {
      ...state,
      parts: partsOf(state, contents),
      siteUrl: archive.manifest.siteUrl,
      ...(isUntrusted(archive) && !isBegun && { warnings: [...state.warnings, untrustedWarning(archive, state)] }),
    }
    const { done, bytes: read, totalBytes } = await archive.verify(signal)
    verified ??= countFiles(archive.list())
    const processed = { files: await verified.upTo(read), bytes: read }
    const next = { ...known, total: { files, bytes }, processed }
    if (!done) return { ...next, percent: within('verify', read, totalBytes), message: 'Verifying the archive' }
    return { ...next, stage: 'extract', percent: SPAN.extract[0], message: 'Extracting files' }
  }

  async function extract(state: RestoreState, signal: AbortSignal): Promise<RestoreState> {
    const archive = await open(state)
    if (!extracting) {
      await removeTree(unpacked)
      const include = namesOf(state.parts ?? [], await topLevelOf(archive))
      const total = await totalOf(entriesBelow(archive, include))
      extracting = { include, total, unpacked: countFiles(entriesBelow(archive, include)) }
    }
    const { include, total, unpacked: count } = extracting
    const { done, bytes, totalBytes } = await archive.extract({ folder: unpacked, include }, signal)
    // Other files in the same segments are read as well.
    const read = Math.min(bytes, total.bytes)
    const next = { ...state, total, processed: { files: await count.upTo(read), bytes: read } }
    if (!done) return { ...next, percent: within('extract', bytes, totalBytes) }
    return {
      ...next,
      processed: total,
      stage: 'database',
      percent: SPAN.database[0],
      message: 'Restoring the database',
    }
  }

  async function load(state: RestoreState, signal: AbortSignal): Promise<RestoreState> {
    const ready = {
      ...state,
      stage: 'files' as const,
      percent: SPAN.database[1],
      message: 'Switching to the restored site',
    }
    if (!state.parts?.includes('database')) return ready
    loading ??= await beginLoading(state)
    let { percent } = state
    const warnings = [...state.warnings]
    for (;;) {
      const step = await loading.steps.next()
      if (step.done) break
      percent = within('database', step.value.bytes, step.value.totalBytes)
      if (step.value.warning !== undefined) warnings.push(step.value.warning)
      if (signal.aborted) return { ...state, percent, warnings }
    }
    await loading.database.close()
    const { kind } = loading.database
    loading = undefined
    if (kind === 'sqlite') await flush(join(unpacked, 'site.db'))
    return { ...ready, warnings }
  }

  async function beginLoading(state: RestoreState) {
    const place = newDatabasePlace(folder, worker)
    await site.removeStagingDatabase(place)
    const database = await site.openStagingDatabase(place)
    return { database, steps: loadDatabase(database, join(unpacked, 'database'), rewriterOf(state, site)) }
  }

  /** Whether the archive is not signed by this site. */
  const isUntrusted = (archive: Archive) => !archive.isSignedWith(signingKeyOf(site))

  /** Carries over what backups do not contain, then replaces the site. */
  async function replace(state: RestoreState, signal: AbortSignal): Promise<RestoreState> {
    const files = join(unpacked, 'files')
    const warnings = [...state.warnings]
    const parts = state.parts ?? []
    if (!carrying) {
      const isTrusted = state.trustCode || !isUntrusted(await open(state))
      quarantined = isTrusted
        ? undefined
        : await quarantine({ siteDir: site.dir, files, parts, extensionsDir: site.extensionsDir })
      const [keeps, isExcluded] = [quarantined?.keeps ?? (() => false), exclusion()]
      carrying = carryOver({
        ...{ siteDir: site.dir, unpacked: files, parts },
        isExcluded: (path) => keeps(path) || isExcluded(path),
      })
    }
    for (;;) {
      const step = await carrying.next()
      if (step.done) break
      if (step.value !== undefined) warnings.push(step.value)
      if (signal.aborted) return { ...state, warnings }
    }
    if (state.parts?.includes('others')) {
      await rewriteOptions(
        { from: join(unpacked, 'options.json'), to: join(files, 'options.json') },
        {
          rewrite: rewriterOf(state, site),
          url: site.url,
          change: (records) => quarantined?.options(records) ?? records,
        },
      )
    }
    await quarantined?.finish()
    warnings.push(...(quarantined?.warnings ?? []))
    const place: RestorePlace = {
      id: state.id,
      siteDir: site.dir,
      fresh: relative(site.dir, unpacked),
      aside: relative(site.dir, join(folder, 'old')),
      isPostgres: state.parts?.includes('database') === true && !(await pathExists(join(unpacked, 'site.db'))),
      schemas: { from: newDatabasePlace(folder, worker).schema, aside: oldDatabasePlace(folder, state.id).schema },
    }
    await close()
    const replacement = await planReplacement(place, state.parts ?? [])
    if (!(await decide())) return state
    site.replace(replacement)
    return { ...state, warnings, percent: 95, message: 'Switching to the restored site' }
  }

  async function close(): Promise<void> {
    const [archive, load] = [opened, loading]
    opened = verified = extracting = loading = carrying = quarantined = undefined
    await archive?.archive.close()
    await archive?.source.close()
    await load?.steps.return(undefined)
    await load?.database.close()
  }

  return {
    close,
    async advance(state, signal) {
      if (state.stage === 'verify') {
        return verify(state, signal).catch((error) => {
          throw asCorrupt(error)
        })
      }
      if (state.stage === 'extract') return extract(state, signal)
      if (state.stage === 'database') return load(state, signal)
      return replace(state, signal)
    },
  }
}

/** Work folder of a process. */
export function workFolderOf(folder: string, worker: string): string {
  return join(folder, 'work', worker)
}

/** Staging database of a process. */
export function newDatabasePlace(folder: string, worker: string): { file: string; schema: string } {
  return { file: join(workFolderOf(folder, worker), 'new', 'site.db'), schema: `restore_new_${worker}` }
}

/** Where the replaced database is moved. */
export function oldDatabasePlace(folder: string, id: string): { file: string; schema: string } {
  return { file: join(folder, 'old', 'site.db'), schema: `restore_old_${Buffer.from(id, 'base64url').toString('hex')}` }
}

function untrustedWarning({ manifest }: Archive, { trustCode }: RestoreState): string {
  const who = `The backup is not signed by this site: it comes from another site or an earlier version, was modified, or secret.key has changed. According to the backup, it was created by ${manifest.siteUrl}.`
  return trustCode
    ? `${who} You allowed its extensions and themes to run.`
    : `${who} Its extensions are deactivated and its theme is not used.`
}

function rewriterOf({ siteUrl }: RestoreState, { url }: RestoreSite): (text: string) => string {
  return siteUrl === null ? (text) => text : createAddressRewriter(siteUrl.replace(/\/+$/, ''), url)
}

function partsOf({ parts }: RestoreState, contents: readonly Category[]): Category[] {
  const missing = parts?.filter((part) => !contents.includes(part)) ?? []
  if (missing.length === 0) return parts ?? [...contents]
  throw new RestError('archive_incomplete', `The archive does not contain: ${missing.join(', ')}.`, { status: 400 })
}

async function* entriesBelow(archive: Archive, names: readonly string[]): AsyncGenerator<StoredEntry> {
  for await (const entry of archive.list()) {
    if (names.some((name) => entry.name === name || entry.name.startsWith(`${name}/`))) yield entry
  }
}

async function totalOf(entries: AsyncIterable<StoredEntry>): Promise<Amount> {
  let files = 0
  let bytes = 0
  for await (const { type, size } of entries) {
    if (type === 'file') files += 1
    bytes += size
  }
  return { files, bytes }
}

async function topLevelOf(archive: Archive): Promise<string[]> {
  const names = new Set<string>()
  for await (const { name } of archive.list()) {
    const [root, first] = name.split('/', 2)
    if (root === 'files' && first !== undefined) names.add(first)
  }
  return [...names]
}

function within(stage: keyof typeof SPAN, done: number, total: number): number {
  const [from, to] = SPAN[stage]
  return total > 0 ? from + (to - from) * Math.min(1, done / total) : from
}
