import { existsSync } from 'node:fs'
import { readFile, realpath } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { messageOf, RestError } from '../../core/errors.ts'
import type { ExtensionManager } from '../../core/extensions/manager.ts'
import packageJson from '../../package.json' with { type: 'json' }
import type { Loader, Source } from '../loader/index.ts'
import type { PackageVersion } from './advisories.ts'
import { conflict, invalidPackage } from './errors.ts'
import type { PackageFolders } from './folders.ts'
import type { PackageRecords } from './records.ts'

const manifestSchema = z.object({
  name: z.string().optional(),
  version: z.string().optional(),
  dependencies: z.record(z.string(), z.string()).optional(),
})

/** Characters that terminals act on, and that reverse the text that an administrator sees. */
const INVISIBLE = /[\p{Cc}\p{Bidi_Control}]/u

/** Decides what may be installed and removed, before anything changes. */
export interface Checks {
  /**
   * Whether an unpacked version fits this site.
   *
   * @returns its metadata, the name of its entry in the extensions folder, and the installed version
   * @throws RestError `package_invalid`, `package_conflict`
   */
  check(folder: string): Promise<{ readonly source: Source; readonly target: string; readonly previous: string | null }>
  /** Whether the package has everything that it needs, and an id that no other package uses. @throws RestError */
  checkOrigin(folder: string, packageName: string | null): Promise<void>
  /** The name and version of a package, to look it up; `undefined` if it has none. @throws RestError `package_invalid` */
  identify(folder: string, packageName: string | null): Promise<PackageVersion | undefined>
  /** The entry of the extensions folder to delete. @throws RestError `extension_not_found`, `package_conflict` */
  removable(id: string): Promise<string>
}

export function createChecks(parts: {
  readonly extensions: Pick<ExtensionManager, 'discover' | 'get'>
  readonly folders: PackageFolders
  readonly loader: Pick<Loader, 'inspect' | 'find' | 'dependents'>
  readonly records: PackageRecords
}): Checks {
  const { extensions, folders, loader, records } = parts

  async function inspect(folder: string): Promise<Source> {
    const { source, problem } = await loader.inspect(folder).catch((error: unknown) => {
      throw invalidPackage(`The package is not an extension. ${messageOf(error)}`)
    })
    if (problem !== null) throw conflict(`${source.name} cannot run on this site. ${problem}`)
    if (source.version === '') throw invalidPackage('The extension must state its version as a literal.')
    if (INVISIBLE.test(`${source.name}${source.version}${source.description}`)) {
      throw invalidPackage('The name, version, or description of the extension contains control characters.')
    }
    return source
  }

  /** Where an installed extension is. */
  async function locate(id: string) {
    await extensions.discover()
    const installed = loader.find(id)
    if (!installed) return undefined
    const entry = await folders.entryOf(await realpath(installed.folder ?? installed.entry))
    return { installed, entry }
  }

  return {
    async check(folder) {
      const source = await inspect(folder)
      const { id, name, version } = source
      const found = await locate(id)
      if (found && !found.entry) throw conflict(`${id} is the ID of an extension that is not in this site’s folder.`)
      if (found && !found.entry?.isFolder) {
        throw conflict(`${id} is already installed as a single file or a link. Remove it first.`)
      }
      const { isInRange } = await import('../semver.ts')
      const unfit = loader.dependents(id).find(({ range }) => !isInRange(version, range))
      if (unfit)
        throw conflict(
          `The extension "${unfit.id}" requires ${id} ${unfit.range}, so ${name} ${version} was not installed.`,
        )
      return { source, target: basename(found?.entry?.path ?? id), previous: found?.installed.version ?? null }
    },
    async checkOrigin(folder, packageName) {
      const { id } = await inspect(folder)
      const before = records.all()[id]
      if (before && before.name !== packageName && before.name !== null && packageName !== null) {
        throw conflict(
          `${id} was installed from the package ${before.name}. Remove it before you install ${packageName}.`,
        )
      }
      const missing = await missingPackages(folder)
      if (missing.length > 0) {
        throw invalidPackage(
          `It needs the packages ${missing.join(', ')}, which it does not contain. Its author can include them with: pentad extension pack`,
        )
      }
    },
    async identify(folder, packageName) {
      const { name = packageName, version } = (await readManifest(folder)) ?? {}
      return name && version ? { name, version } : undefined
    },
    async removable(id) {
      const found = await locate(id)
      if (!found) throw new RestError('extension_not_found', 'No extension has that ID.', { status: 404 })
      if (!found.entry)
        throw conflict(`${id} comes with Pentad, or is not in this site’s folder. Deactivate it instead.`)
      const [dependent] = loader.dependents(id)
      if (dependent) throw conflict(`The extension "${dependent.id}" requires ${id}. Deactivate it first.`)
      return found.entry.path
    },
  }
}

async function readManifest(folder: string): Promise<z.output<typeof manifestSchema> | undefined> {
  const file = join(folder, 'package.json')
  if (!existsSync(file)) return undefined
  const parsed = manifestSchema.safeParse(JSON.parse(await readFile(file, 'utf8')))
  if (!parsed.success) throw invalidPackage('Its package.json is invalid.')
  return parsed.data
}

/** The dependencies that neither the package contains nor Pentad provides. */
async function missingPackages(folder: string): Promise<string[]> {
  const provided = new Set(['pentad', ...Object.keys(packageJson.dependencies)])
  return Object.keys((await readManifest(folder))?.dependencies ?? {}).filter(
    (name) => !provided.has(name) && !existsSync(join(folder, 'node_modules', name, 'package.json')),
  )
}
