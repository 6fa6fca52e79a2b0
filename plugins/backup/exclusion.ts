import { basename } from 'node:path'
import { isMachineLocal } from './categories.ts'
import { createGlob } from './glob.ts'

/**
 * Whether backups leave a path below the site folder out, and with a folder all that is in it.
 *
 * @param patterns - The setting `excludePatterns`: of whole paths, or of names where there is no slash in them.
 * @param filter - Has the last word, as extensions have by `backup_exclude_path`.
 */
export function createExclusion(
  patterns: readonly string[],
  filter: (exclude: boolean, path: string) => boolean = (exclude) => exclude,
): (path: string) => boolean {
  const globs = patterns
    .map((pattern) => pattern.replace(/^\/+|\/+$/g, ''))
    .filter((pattern) => pattern !== '')
    .map((pattern) => ({ matches: createGlob(pattern), ofPath: pattern.includes('/') }))
  const matches = (path: string) => globs.some(({ matches, ofPath }) => matches(ofPath ? path : basename(path)))
  return (path) => (!path.includes('/') && isMachineLocal(path)) || filter(matches(path), path)
}
