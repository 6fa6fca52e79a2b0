import type { Undo } from '../hooks/types.ts'

/** Names of what is registered, each until it is undone. */
export function createNames() {
  const registered = new Set<{ readonly name: string }>()
  return {
    add(name: string, undo: Undo): Undo {
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
