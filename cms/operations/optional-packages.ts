import { findPackageJSON } from 'node:module'
import { RestError } from '../../core/errors.ts'

/**
 * The npm command that installs those of the packages that are missing; `null` if all are installed. For packages that few sites
 * need: they are optional peer dependencies, imported when they are used.
 */
export function installCommand(packages: readonly string[]): string | null {
  const missing = packages.filter((name) => !isInstalled(name))
  return missing.length === 0 ? null : `npm install ${missing.join(' ')}`
}

/**
 * Handles the error of importing an optional package.
 *
 * @example
 * ```ts
 * import { packageMissing } from 'pentad'
 *
 * export const loadClient = () => import('ai').catch(packageMissing('Writing', ['ai']))
 * ```
 * @param feature - At the start of a sentence: `Writing`.
 * @param packages - All that the feature needs.
 * @returns a function that throws a RestError 501 `package_missing` that says what to do, or the error itself if the package is damaged
 */
export function packageMissing(feature: string, packages: readonly string[]): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error
    const install = installCommand(packages)
    // Node remembers which packages it did not find.
    const message =
      install === null
        ? `${feature} requires npm packages that were installed after Pentad started. Restart Pentad.`
        : `${feature} requires npm packages that are not installed. In the folder that Pentad is installed in, run ${install}, and restart Pentad.`
    throw new RestError('package_missing', message, { status: 501, install })
  }
}

function isInstalled(name: string): boolean {
  try {
    return findPackageJSON(name, import.meta.url) !== undefined
  } catch {
    return false
  }
}
