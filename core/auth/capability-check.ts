import type { IsComputed, Problem, Unknown } from '../hooks/name-problem.ts'
import type { Capabilities } from './capability-names.ts'

/** Capabilities that need no object ID. */
type General = { [Name in keyof Capabilities]: Capabilities[Name] extends true ? Name : never }[keyof Capabilities]

type Role = 'administrator' | 'editor' | 'author' | 'contributor' | 'subscriber'

/** Names that editors complete. Other strings are accepted here and checked by the types below. */
export type OfferedCapability = keyof Capabilities | (string & {})
export type OfferedGeneralCapability = General | (string & {})

type Wrong<Name extends string> = Name extends Role
  ? `${Name} is a role, not a capability: check a capability of the role, such as edit_posts.`
  : Unknown<'capability', Name, keyof Capabilities>

type CheckedLiteral<Name extends string> = Name extends keyof Capabilities
  ? Name
  : IsComputed<Name> extends true
    ? Name
    : Wrong<Name> & Problem

type CheckedGeneralLiteral<Name extends string> = Name extends keyof Capabilities
  ? Capabilities[Name] extends true
    ? Name
    : `${Name} needs the ID of an object: can('${Name}', id).` & Problem
  : CheckedLiteral<Name>

/** The capability itself if it is declared or computed, or else a description of the problem. */
export type CapabilityName<Name extends string> = string & {} extends Name ? OfferedCapability : CheckedLiteral<Name>

/** A capability that needs no object ID, as routes, abilities, admin pages and roles require. */
export type GeneralCapabilityName<Name extends string> = string & {} extends Name
  ? OfferedGeneralCapability
  : CheckedGeneralLiteral<Name>

/** Arguments of the capability: `[postId: number]`. */
export type CapabilityArguments<Name extends string> = Name extends keyof Capabilities
  ? Capabilities[Name] extends readonly (number | string)[]
    ? Capabilities[Name]
    : readonly []
  : readonly (number | string)[]
