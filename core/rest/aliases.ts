import type { Undo } from '../hooks/types.ts'

/** Paths outside of `/wp-json` that routes also respond to. */
export interface Aliases {
  /** The route for a path of the site, such as `/hello/v1/greeting`. */
  find(path: string): string | undefined
  /** @throws Error if it is not a plain path, begins with `/wp-`, or is taken */
  add(path: string, route: string): Undo
}

const PATH = /^(\/[\w.-]+)+$/

export function createAliases(): Aliases {
  const routes = new Map<string, string>()
  return {
    find: (path) => routes.get(path),
    add(path, route) {
      if (!PATH.test(path) || path.startsWith('/wp-')) throw new Error(`A route can't have the alias "${path}".`)
      if (routes.has(path)) throw new Error(`${path} is taken by ${routes.get(path)}.`)
      routes.set(path, route)
      return () => void routes.delete(path)
    },
  }
}
