import type { Undo } from '../hooks/types.ts'

/** Names of what is registered, each until it is undone. */
export interface Names {
  add(name: string, undo: Undo): Undo
  /** Sorted, each once. */
  list(): string[]
}

export function createNames(): Names {
  const registered = new Set<{ readonly name: string }>()
  return {
    add(name, undo) {
      const entry = { name }
      registered.add(entry)
      return () => {
        registered.delete(entry)
        undo()
      }
    },
    list: () => [...new Set([...registered].map(({ name }) => name))].sort(),
  }
}
