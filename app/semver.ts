// Extensions of a clone are checked with their own tsconfig.json, which does not include the declarations of this project.
/// <reference path="./semver-module.d.ts" />
/** Imported only when versions are compared. */
import semver from 'semver'

export { semver }

/**
 * Whether a version is in a required range. As with npm's `includePrerelease`, a pre-release has the API of its version: 1.1.0-beta.1 is in `^1.0.0`.
 * It precedes that version, so 1.0.0-beta.1 is not in `^1.0.0`, but in `^1`, `>=0.1`, and `^1.0.0-beta.1`.
 */
export function isInRange(version: string, range: string): boolean {
  return semver.satisfies(version, range, { includePrerelease: true })
}
