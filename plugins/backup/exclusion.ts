import { basename } from 'node:path'
import { isMachineLocal } from './categories.ts'
import { createGlob } from './glob.ts'

/**
 * Creates a function that tells whether backups exclude a path relative to the site folder. Excluding a folder excludes
 * everything in it.
 *
 * @param patterns - The `excludePatterns` setting. Patterns with a slash match the path, others the file name.
 * @param filter - Makes the final decision, like the `backup_exclude_path` filter.
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
