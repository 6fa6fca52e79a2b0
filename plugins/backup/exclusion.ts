import { basename, matchesGlob } from 'node:path'
import { isOfThisMachine } from './categories.ts'

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
  const globs = patterns.map((pattern) => pattern.replace(/^\/+|\/+$/g, '')).filter((pattern) => pattern !== '')
  const matches = (path: string) => globs.some((glob) => matchesGlob(glob.includes('/') ? path : basename(path), glob))
  return (path) => (!path.includes('/') && isOfThisMachine(path)) || filter(matches(path), path)
}
