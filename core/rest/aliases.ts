import type { Undo } from '../hooks/types.ts'

/** Paths outside of `/wp-json` at which routes answer too. */
export interface Aliases {
  /** The route that answers at a path of the site, `/hello/v1/greeting`. */
  find(path: string): string | undefined
  /** @throws Error if it is no plain path, one of WordPress's own, or taken */
  add(path: string, route: string): Undo
}

const PATH = /^(\/[\w.-]+)+$/

export function createAliases(): Aliases {
  const routes = new Map<string, string>()
  return {
    find: (path) => routes.get(path),
    add(path, route) {
      if (!PATH.test(path) || path.startsWith('/wp-')) throw new Error(`A route can't answer at "${path}".`)
      if (routes.has(path)) throw new Error(`${path} is taken: ${routes.get(path)} answers there.`)
      routes.set(path, route)
      return () => {
        routes.delete(path)
      }
    },
  }
}
