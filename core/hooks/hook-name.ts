import type { Problem, Unknown } from './name-problem.ts'
import type { Actions, AsyncActions, AsyncFilters, Filters } from './names.ts'

/** Placeholder in completions for the variable part of a family of names: `save_post_…`. */
type Blank = '…'

/** A family of names as shown in completions: `save_post_${string}` becomes `save_post_…`. */
type WithBlanks<Name extends string, Done extends string = ''> = string extends Name
  ? `${Done}${Blank}`
  : Name extends `${infer Head}${infer Rest}`
    ? WithBlanks<Rest, `${Done}${string extends Head ? Blank : Head}`>
    : Done

/** Names declared individually; otherwise a family would absorb its declared members. */
type Single<Declared> = keyof {
  [Name in keyof Declared as Record<never, never> extends Record<Name, true> ? never : Name]: true
}

/** Families of names, declared with a template key. */
type Family<Declared> = keyof {
  [Name in keyof Declared as Record<never, never> extends Record<Name, true> ? Name : never]: true
}

/** Names that editors complete. Other strings are accepted here and checked by the types below. */
type Offered<Declared> = (Single<Declared> & string) | WithBlanks<Family<Declared> & string> | (string & {})

/** All offered names while the name is being typed, and for a name known only at run time. */
type Checked<Name extends string, Declared, Kind extends HookKind> = string & {} extends Name
  ? Offered<Declared>
  : CheckedLiteral<Name, Declared, Kind>

/** The name itself if it is declared, or else a description of the problem. */
type CheckedLiteral<Name extends string, Declared, Kind extends HookKind> = Name extends `${string}${Blank}${string}`
  ? `Write a name in place of ${Blank} in ${Name}.` & Problem
  : Name extends keyof Declared
    ? Name
    : Wrong<Name, Kind> & Problem

type AnyAction = Actions & AsyncActions
type AnyFilter = Filters & AsyncFilters

type HookKind = 'action' | 'filter'

/** Used only in the branch for wrong names, never as a type argument: TypeScript would evaluate it for correct names too. */
type Wrong<Name extends string, Kind extends HookKind> = Name extends keyof (AnyAction & AnyFilter)
  ? Kind extends 'action'
    ? Name extends keyof AsyncActions
      ? `${Name} is asynchronous: await doActionAsync.`
      : `${Name} is a filter, not an action: use addFilter, applyFilters, and so on.`
    : Name extends keyof AsyncFilters
      ? `${Name} is asynchronous: await applyFiltersAsync.`
      : `${Name} is an action, not a filter: use addAction, doAction, and so on.`
  : Unknown<'hook', Name, Single<AnyAction & AnyFilter> & string>

export type OfferedAction = Offered<AnyAction>
export type OfferedFilter = Offered<AnyFilter>
export type OfferedSyncAction = Offered<Actions>
export type OfferedSyncFilter = Offered<Filters>

/** The name of an action, synchronous or not, or else a description of the problem. */
export type ActionName<Name extends string> = Checked<Name, AnyAction, 'action'>

/** The name of a filter, synchronous or not. */
export type FilterName<Name extends string> = Checked<Name, AnyFilter, 'filter'>

/** The name of an action that `doAction` dispatches. */
export type SyncActionName<Name extends string> = Checked<Name, Actions, 'action'>

/** The name of a filter that `applyFilters` dispatches. */
export type SyncFilterName<Name extends string> = Checked<Name, Filters, 'filter'>
