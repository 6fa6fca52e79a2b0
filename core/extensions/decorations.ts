import type { Undo } from '../hooks/types.ts'
import type { Owner } from '../owner.ts'
import type { InFlight } from './in-flight.ts'
import { joinedView } from './service-view.ts'

/** Names of members are in camel case: `agentStore`. */
const NAME = /^[a-z][A-Za-z0-9]*$/

/** Members that extensions add to the `host` of all extensions. */
export interface Decorations {
  /** The current members, used as the prototype of every extension's `host`. */
  readonly members: object
  /** @throws Error if the name is invalid or taken */
  add(extension: string, name: string, service: object): Undo
}

export function createDecorations(): Decorations {
  const members = {}
  return {
    members,
    add(extension, name, service) {
      if (!NAME.test(name)) throw new Error(`host.${name} must be named in camel case, with letters and digits.`)
      if (name in members) throw new Error(`Extension ${extension} cannot add host.${name}, because it already exists.`)
      Object.defineProperty(members, name, { value: joinedView([service]), configurable: true, enumerable: true })
      return () => void Reflect.deleteProperty(members, name)
    },
  }
}

/** Wraps the functions of a service: calls count as in progress for its owner, and throw once the owner was unloaded. */
export function trackMembers(service: object, label: string, owner: Owner, inFlight: InFlight): object {
  const tracked = Object.entries(service).map(([key, member]: [string, unknown]) => {
    if (typeof member !== 'function') return [key, member]
    const call = (...args: unknown[]) => {
      if (owner.signal.aborted) throw new Error(`Extension ${owner.id} was unloaded, and ${label} with it.`)
      return inFlight.track(
        () => Reflect.apply(member, service, args),
        () => `${label}.${key}`,
      )
    }
    return [key, call]
  })
  return Object.fromEntries(tracked)
}
