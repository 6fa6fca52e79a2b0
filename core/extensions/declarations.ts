import type { Undo } from '../hooks/types.ts'
import type { Staged } from '../owner.ts'

/** A declaration, in effect from `apply` until the returned function is called. */
interface Declaration {
  readonly apply: () => Undo
  undo: Undo | undefined
}

/**
 * Declarations of one version of an extension (post types, roles, settings, …) for registries without staging: collected during
 * `setup`, then applied all at once.
 */
export interface Declarations extends Staged {
  add(apply: () => Undo): Undo
  /** Applies them. Can be called again after they were withdrawn. */
  commit(replacing?: Staged): void
}

export function createDeclarations(): Declarations {
  const all: Declaration[] = []
  let isApplied = false

  function withdraw(): void {
    isApplied = false
    for (const declaration of all.toReversed()) {
      declaration.undo?.()
      declaration.undo = undefined
    }
  }

  return {
    add(apply) {
      const declaration: Declaration = { apply, undo: isApplied ? apply() : undefined }
      all.push(declaration)
      return () => {
        const at = all.indexOf(declaration)
        if (at < 0) return
        all.splice(at, 1)
        declaration.undo?.()
      }
    },
    commit(replacing) {
      replacing?.[Symbol.dispose]()
      try {
        isApplied = true
        for (const declaration of all) declaration.undo = declaration.apply()
      } catch (error) {
        withdraw()
        replacing?.commit()
        throw error
      }
    },
    [Symbol.dispose]: withdraw,
  }
}
