import { RestError } from '../errors.ts'
import type { Options } from '../options/types.ts'
import type { ManagedExtension } from './managed-extension.ts'
import { type AvailableExtension, type ExtensionSource, missingExtension } from './source.ts'
import { readState, storedIds } from './state.ts'

/** The extensions of a site: those of its sources, and those that were active when their files were deleted. */
export interface Roster {
  /** Scans the sources again. Scans are serialized. */
  discover(): Promise<void>
  /** As of the last scan. */
  get(id: string): ManagedExtension | undefined
  /** Sorted by id, as of the last scan. */
  list(): ManagedExtension[]
  /** Scans first. @throws RestError `extension_not_found` */
  find(id: string): Promise<ManagedExtension>
  /** Scans if files of a running extension were deleted, or missing files may have been restored. */
  checkFiles(): Promise<void>
}

/**
 * @param parts.sources - Later sources take precedence.
 * @param parts.create - Called for each new extension.
 * @param parts.onFiles - Called after the files of a known extension are deleted or restored.
 */
export function createRoster(parts: {
  readonly sources: readonly ExtensionSource[]
  readonly options: Options
  readonly create: (source: AvailableExtension) => ManagedExtension
  readonly onFiles: (extension: ManagedExtension) => void
}): Roster {
  const { sources, options, create, onFiles } = parts
  const extensions = new Map<string, ManagedExtension>()
  let scanning: Promise<void> = Promise.resolve()

  /** Serialized: an older scan must not discard the results of a newer one. */
  function discover(): Promise<void> {
    const scan = scanning.then(scanNow)
    scanning = scan.catch(() => {})
    return scan
  }

  async function scanNow(): Promise<void> {
    const lists = await Promise.all(sources.map((source) => source.list()))
    const found = new Map(lists.flat().map((extension) => [extension.id, extension]))
    for (const id of [...storedIds(options), ...extensions.keys()]) {
      if (found.has(id)) continue
      const known = extensions.get(id)
      const isWanted = known?.running || (readState(options, id)?.state ?? 'inactive') !== 'inactive'
      // An unreadable file is listed without its id, so the files are checked too.
      if (isWanted && !known?.source.exists()) found.set(id, missingExtension(id))
      if (!isWanted) extensions.delete(id)
    }
    for (const source of found.values()) update(source)
  }

  function update(source: AvailableExtension): void {
    const known = extensions.get(source.id)
    if (!known) {
      extensions.set(source.id, create(source))
      return
    }
    const wereMissing = known.filesMissing
    known.source = source
    if (known.filesMissing !== wereMissing) onFiles(known)
  }

  const list = () => [...extensions.values()].sort((a, b) => a.id.localeCompare(b.id, 'en'))

  return {
    discover,
    get: (id) => extensions.get(id),
    list,
    async find(id) {
      await discover()
      const extension = extensions.get(id)
      if (extension) return extension
      const reasons = await Promise.all(sources.map((source) => source.explainMissing?.(id)))
      const message = ['No extension has that ID.', ...reasons.filter((reason) => reason !== undefined)].join(' ')
      throw new RestError('extension_not_found', message, { status: 404 })
    },
    async checkFiles() {
      const isOther = ({ running, filesMissing, source }: ManagedExtension) =>
        filesMissing || (running && !source.exists())
      if (list().some(isOther)) await discover()
    },
  }
}
