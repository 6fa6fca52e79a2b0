import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The hooks by which an extension protects content that are not in its stored state yet. Options are stored a little later,
 * and by then one of its callbacks may have taken the process down: the next start must know the hooks all the same.
 */
export interface ProtectedHooks {
  /** On the disk when it returns. */
  note(hook: string): void
  list(): string[]
  /** These are stored elsewhere now. */
  forget(hooks: readonly string[]): void
}

export function createProtectedHooks(siteDir: string, id: string): ProtectedHooks {
  const folder = join(siteDir, 'protected-hooks', id)
  // Names of hooks may hold what names of files may not.
  const fileOf = (hook: string) => join(folder, createHash('sha256').update(hook).digest('hex'))
  return {
    note(hook) {
      mkdirSync(folder, { recursive: true })
      writeFileSync(fileOf(hook), hook, { mode: 0o600 })
    },
    list() {
      try {
        return readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
        throw error
      }
    },
    forget(hooks) {
      for (const hook of hooks) rmSync(fileOf(hook), { force: true })
    },
  }
}
