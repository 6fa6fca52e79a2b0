import { basename, matchesGlob } from 'node:path'
import type { Hooks } from 'pentad'
import type { Category } from '../types.ts'

/**
 * Never in an archive: the backups themselves, what can be made again or belongs to this machine alone, and the keys
 * and passwords of the site (contract 3).
 */
const NEVER =
  /^(?:backups|tmp|cache|mail|logs|secret\.key|config\.json|replacement\.json|site\.db(?:-.*)?|[^/]*\.(?:tmp|lock|part))$/

const FOLDERS: Readonly<Record<string, Category>> = { uploads: 'uploads', themes: 'themes', extensions: 'extensions' }

/** Category of a path below the site folder. */
export function categoryOf(path: string): Category {
  return FOLDERS[path.split('/', 1)[0] ?? ''] ?? 'others'
}

/**
 * Whether a path below the site folder is left out, and with a folder all that is in it.
 *
 * @param patterns - The setting `excludePatterns`: of whole paths, or of names where there is no slash in them.
 */
export function createExclusion(
  patterns: readonly string[],
  hooks: Pick<Hooks, 'applyFilters'>,
): (path: string) => boolean {
  const globs = patterns.map((pattern) => pattern.replace(/^\/+|\/+$/g, '')).filter((pattern) => pattern !== '')
  const matches = (path: string) => globs.some((glob) => matchesGlob(glob.includes('/') ? path : basename(path), glob))
  return (path) =>
    (!path.includes('/') && NEVER.test(path)) || hooks.applyFilters('backup_exclude_path', matches(path), path)
}
