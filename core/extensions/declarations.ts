import type { Undo } from '../hooks/types.ts'
import type { Staged } from '../owner.ts'

/** One thing that is in force from `apply` until what that answers is called. */
interface Declaration {
  readonly apply: () => Undo
  undo: Undo | undefined
}

/**
 * Declarations of one version of an extension (post types, roles, settings, …) in registries that know no staging:
 * collected while it is set up, then put in force all at once.
 */
export interface Declarations extends Staged {
  add(apply: () => Undo): Undo
  /** Puts them in force. May be called again after they were withdrawn. */
  commit(replacing?: Staged): void
}

export function createDeclarations(): Declarations {
  const all: Declaration[] = []
  let inForce = false

  function withdraw(): void {
    inForce = false
    for (const declaration of all.toReversed()) {
      declaration.undo?.()
      declaration.undo = undefined
    }
  }

  return {
    add(apply) {
      const declaration: Declaration = { apply, undo: inForce ? apply() : undefined }
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
        inForce = true
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
