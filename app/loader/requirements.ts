import packageJson from '../../package.json' with { type: 'json' }
import type { Manifest } from './metadata.ts'

/** An installed extension, as far as others may require it. */
export interface InstalledVersion {
  readonly version: string
  /** Whether it is meant to run, even if it has not started yet. */
  readonly isActive: boolean
}

const FOR_EXTENSION = 'It requires the extension'

/** Whether a pause has the reason that another extension is missing, not active, or has another version. */
export const isForExtension = (reason: string | null): boolean => reason?.startsWith(FOR_EXTENSION) === true

/**
 * Why the requirements of an extension are not met, as a sentence; `undefined` if they are.
 *
 * @param installed - Returns the installed version of another extension, `undefined` if there is none.
 */
export async function unmetRequirement(
  { requires }: Pick<Manifest, 'requires'>,
  installed: (id: string) => InstalledVersion | undefined,
): Promise<string | undefined> {
  if (!requires) return undefined
  const { semver, isInRange } = await import('../semver.ts')
  const { pentad = '*', extensions = {} } = requires
  const invalid = [pentad, ...Object.values(extensions)].find((range) => semver.validRange(range) === null)
  if (invalid !== undefined) return `It requires "${invalid}", which is not a range of versions such as ^1.2.0.`
  if (!isInRange(packageJson.version, pentad)) {
    return `It requires Pentad ${pentad}. This is Pentad ${packageJson.version}.`
  }
  for (const [id, range] of Object.entries(extensions)) {
    const other = installed(id)
    const wanted = `${FOR_EXTENSION} "${id}" ${range}`
    if (!other) return `${wanted}, which is not installed.`
    if (!isInRange(other.version, range)) return `${wanted}. Version ${other.version || 'unknown'} is installed.`
    if (!other.isActive) return `${wanted}, which is not active. Activate it first.`
  }
  return undefined
}
