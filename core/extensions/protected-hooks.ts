import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Hooks by which an extension protects content that are not in its stored state yet. Options are stored with a delay, and the process may
 * end before that, but the next start must know the hooks.
 */
export function createProtectedHooks(siteDir: string, id: string) {
  const folder = join(siteDir, 'protected-hooks', id)
  // Hook names may contain characters that file names may not.
  const fileOf = (hook: string) => join(folder, createHash('sha256').update(hook).digest('hex'))
  return {
    /** Writes to disk synchronously. */
    add(hook: string) {
      mkdirSync(folder, { recursive: true })
      writeFileSync(fileOf(hook), hook, { mode: 0o600 })
    },
    list: (): string[] =>
      existsSync(folder) ? readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8')) : [],
    /** Removes hooks that are in the stored state by now. */
    remove(hooks: readonly string[]) {
      for (const hook of hooks) rmSync(fileOf(hook), { force: true })
    },
  }
}
