import type { IsComputed, Problem, Unknown } from '../hooks/name-problem.ts'
import type { Capabilities } from './capability-names.ts'

/** Capabilities that are about nothing in particular. */
type General = { [Name in keyof Capabilities]: Capabilities[Name] extends true ? Name : never }[keyof Capabilities]

type Role = 'administrator' | 'editor' | 'author' | 'contributor' | 'subscriber'

/** What an editor offers. Any other text is taken too, and judged by the types below. */
export type OfferedCapability = keyof Capabilities | (string & {})
export type OfferedGeneralCapability = General | (string & {})

type Wrong<Name extends string> = Name extends Role
  ? `${Name} is a role, not a capability: ask for what the role may do, such as edit_posts.`
  : Unknown<'capability', Name, keyof Capabilities>

type CheckedLiteral<Name extends string> = Name extends keyof Capabilities
  ? Name
  : IsComputed<Name> extends true
    ? Name
    : Wrong<Name> & Problem

type CheckedGeneralLiteral<Name extends string> = Name extends keyof Capabilities
  ? Capabilities[Name] extends true
    ? Name
    : `${Name} is about one thing: give its id, as in can('${Name}', id).` & Problem
  : CheckedLiteral<Name>

/** The capability itself if it is declared or computed, else what is wrong with it. */
export type CapabilityName<Name extends string> = string & {} extends Name ? OfferedCapability : CheckedLiteral<Name>

/** A capability where there is no id to ask it of: of a route, an ability, an admin page, a role. */
export type GeneralCapabilityName<Name extends string> = string & {} extends Name
  ? OfferedGeneralCapability
  : CheckedGeneralLiteral<Name>

/** What the capability is asked of: `[postId: number]`. */
export type CapabilityArguments<Name extends string> = Name extends keyof Capabilities
  ? Capabilities[Name] extends readonly (number | string)[]
    ? Capabilities[Name]
    : readonly []
  : readonly (number | string)[]
