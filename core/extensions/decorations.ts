import type { Undo } from '../hooks/types.ts'
import { joinedView } from './service-view.ts'

/** What a member may be called: `agentStore`. */
const NAME = /^[a-z][A-Za-z0-9]*$/

/** Members that extensions add to the `host` of all extensions. */
export interface Decorations {
  /** Holds those that are there now: the prototype of every extension's `host`. */
  readonly members: object
  /** @throws Error if the name is not allowed, or taken */
  add(extension: string, name: string, service: object): Undo
}

export function createDecorations(): Decorations {
  const members = {}
  return {
    members,
    add(extension, name, service) {
      if (!NAME.test(name)) throw new Error(`host.${name} must be named in camel case, with letters and digits.`)
      if (name in members) throw new Error(`Extension ${extension} cannot add host.${name}: there is one already.`)
      Object.defineProperty(members, name, { value: joinedView([service]), configurable: true, enumerable: true })
      return () => void Reflect.deleteProperty(members, name)
    },
  }
}
