import { z } from 'zod'

/**
 * Rejects zod 3 schemas, which an extension's own `node_modules` may contain: they lack the internals that Pentad uses.
 *
 * @param given - A schema, or a definition with schemas among its values.
 * @throws TypeError naming both versions and the remedy
 */
export function assertOwnZod(given: object, what: string): void {
  if (![given, ...Object.values(given)].some(isZod3)) return
  const { major, minor, patch } = z.core.version
  throw new TypeError(
    `The schema of ${what} was created with zod 3, but Pentad uses zod ${major}.${minor}.${patch}. In the extension, run npm uninstall zod to use the version of Pentad, or npm install zod@${major}.`,
  )
}

/** zod 4 has its internals under `_zod`; zod 3 identifies the kind of a schema by a name. */
function isZod3(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || '_zod' in value || !('_def' in value)) return false
  const { _def: definition } = value
  return typeof definition === 'object' && definition !== null && 'typeName' in definition
}
