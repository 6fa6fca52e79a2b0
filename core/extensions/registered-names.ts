import type { Undo } from '../hooks/types.ts'

/** Names of registrations, each until undone. */
export interface Names {
  add(name: string, undo: Undo): Undo
  /** Sorted, without duplicates. */
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
