import { existsSync } from 'node:fs'
import { RestError } from '../errors.ts'
import type { Logger } from '../log.ts'
import type { Options } from '../options/types.ts'
import { discoverExtensions, explainNoEntry, missingSource, type Source } from './discover.ts'
import type { Extension } from './extension.ts'
import type { ForeignExtensions } from './foreign.ts'
import type { KeptBuilds } from './kept-builds.ts'
import { readState, storedIds } from './state.ts'

/** Which extensions a site has: those on the disk, and those that were active when their files were deleted. */
export interface Roster {
  /** Scans the folders again. Scans run one after the other. */
  discover(): Promise<void>
  /** Adds one extension from wherever it lies. Resolves to its id. @throws Error if there is none. */
  add(path: string): Promise<string>
  /** As of the last scan. */
  get(id: string): Extension | undefined
  /** Sorted by id, as of the last scan. */
  list(): Extension[]
  /** Scans the folders first. @throws RestError `extension_not_found` */
  find(id: string): Promise<Extension>
  /** Scans the folders if files of a running extension were deleted, or some are missing and may be back. */
  checkFiles(): Promise<void>
}

/**
 * @param parts.folders - A later folder wins over an earlier one.
 * @param parts.create - Called for each extension that was not known.
 * @param parts.onFiles - Called when the files of a known extension were deleted or came back.
 */
export function createRoster(parts: {
  readonly folders: readonly string[]
  readonly keptBuilds: KeptBuilds
  readonly options: Options
  readonly log: Logger
  readonly foreign: Pick<ForeignExtensions, 'has'>
  readonly create: (source: Source) => Extension
  readonly onFiles: (extension: Extension) => void
}): Roster {
  const { folders, keptBuilds, options, log, foreign, create, onFiles } = parts
  const paths = new Set<string>()
  const extensions = new Map<string, Extension>()
  const warnedOf = new Set<string>()
  let scanning: Promise<void> = Promise.resolve()

  function warnOnce(fields: Record<string, string | undefined>, message: string): void {
    const warning = JSON.stringify([message, fields])
    if (!warnedOf.has(warning)) log.warn(fields, message)
    warnedOf.add(warning)
  }

  function warnOfTwins(used: Source, ignored: Source): void {
    warnOnce({ extension: used.id, used: used.entry, ignored: ignored.entry }, 'two extensions have the same id')
  }

  /** One after the other: an older scan must not discard what a newer one found. */
  function discover(): Promise<void> {
    const scan = scanning.then(scanNow)
    scanning = scan.catch(() => {})
    return scan
  }

  async function scanNow(): Promise<void> {
    const sources = await discoverExtensions({ folders, paths }, { keptBuilds, warnOfTwins })
    for (const id of [...storedIds(options), ...extensions.keys()]) {
      if (sources.has(id)) continue
      const known = extensions.get(id)
      const isWanted = known?.running || (readState(options, id)?.state ?? 'inactive') !== 'inactive'
      // A file that cannot be read now does not say its id.
      if (isWanted && !(known && existsSync(known.source.entry))) sources.set(id, missingSource(id))
      if (!isWanted) extensions.delete(id)
    }
    for (const source of sources.values()) take({ ...source, isForeign: await foreign.has(source) })
  }

  function take(source: Source): void {
    const { id, entry, ignoredMain } = source
    if (ignoredMain !== undefined) {
      warnOnce({ extension: id, main: ignoredMain, used: entry }, 'main of package.json is missing')
    }
    const known = extensions.get(id)
    if (!known) {
      extensions.set(id, create(source))
      return
    }
    const wasGone = known.isGone
    known.source = source
    if (known.isGone !== wasGone) onFiles(known)
  }

  const list = () => [...extensions.values()].sort((a, b) => a.id.localeCompare(b.id, 'en'))

  return {
    discover,
    async add(path) {
      const found = await discoverExtensions({ folders: [], paths: [path] }, { keptBuilds, warnOfTwins })
      const [source] = found.values()
      if (!source) throw new Error(`${path} is not an extension: it has no index.ts.`)
      paths.add(path)
      await discover()
      return source.id
    },
    get: (id) => extensions.get(id),
    list,
    async find(id) {
      await discover()
      const extension = extensions.get(id)
      if (extension) return extension
      const why = await explainNoEntry(folders, id)
      const message = ['No extension has that id.', ...(why === undefined ? [] : [why])].join(' ')
      throw new RestError('extension_not_found', message, { status: 404 })
    },
    async checkFiles() {
      const isOther = ({ running, isGone, source }: Extension) => isGone || (running && !existsSync(source.entry))
      if (list().some(isOther)) await discover()
    },
  }
}
