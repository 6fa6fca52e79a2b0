import type { Problem, Unknown } from './name-problem.ts'
import type { Actions, AsyncActions, AsyncFilters, Filters } from './names.ts'

/** Stands in a completion for the part of a family's name that the author fills in: `save_post_…`. */
type Blank = '…'

/** A family of names as an author is offered it: `save_post_${string}` becomes `save_post_…`. */
type WithBlanks<Name extends string, Done extends string = ''> = string extends Name
  ? `${Done}${Blank}`
  : Name extends `${infer Head}${infer Rest}`
    ? WithBlanks<Rest, `${Done}${string extends Head ? Blank : Head}`>
    : Done

/** Names declared one by one; without it a family would swallow its declared members. */
type Single<Declared> = keyof {
  [Name in keyof Declared as Record<never, never> extends Record<Name, true> ? never : Name]: true
}

/** Families of names, declared by a template key. */
type Family<Declared> = keyof {
  [Name in keyof Declared as Record<never, never> extends Record<Name, true> ? Name : never]: true
}

/** What an editor offers. Any other text is taken too, and judged by the types below. */
type Offered<Declared> = (Single<Declared> & string) | WithBlanks<Family<Declared> & string> | (string & {})

/** What an editor asks of: all that is offered, where the name itself is not known yet. So is a name known at run time. */
type Checked<Name extends string, Declared, Kind extends HookKind> = string & {} extends Name
  ? Offered<Declared>
  : CheckedLiteral<Name, Declared, Kind>

/** The name itself if it is declared, else what is wrong with it. */
type CheckedLiteral<Name extends string, Declared, Kind extends HookKind> = Name extends `${string}${Blank}${string}`
  ? `Write a name in place of ${Blank} in ${Name}.` & Problem
  : Name extends keyof Declared
    ? Name
    : Wrong<Name, Kind> & Problem

type AnyAction = Actions & AsyncActions
type AnyFilter = Filters & AsyncFilters

type HookKind = 'action' | 'filter'

/** Only in the branch of wrong names, never an argument of a type: arguments are evaluated for correct names too. */
type Wrong<Name extends string, Kind extends HookKind> = Name extends keyof (AnyAction & AnyFilter)
  ? Kind extends 'action'
    ? Name extends keyof AsyncActions
      ? `${Name} is asynchronous: await doActionAsync.`
      : `${Name} is a filter, not an action: use addFilter, applyFilters and the like.`
    : Name extends keyof AsyncFilters
      ? `${Name} is asynchronous: await applyFiltersAsync.`
      : `${Name} is an action, not a filter: use addAction, doAction and the like.`
  : Unknown<'hook', Name, Single<AnyAction & AnyFilter> & string>

export type OfferedAction = Offered<AnyAction>
export type OfferedFilter = Offered<AnyFilter>
export type OfferedSyncAction = Offered<Actions>
export type OfferedSyncFilter = Offered<Filters>

/** The name of an action, synchronous or not; of another text, what is wrong with it. */
export type ActionName<Name extends string> = Checked<Name, AnyAction, 'action'>

/** The name of a filter, synchronous or not. */
export type FilterName<Name extends string> = Checked<Name, AnyFilter, 'filter'>

/** The name of an action that `doAction` dispatches. */
export type SyncActionName<Name extends string> = Checked<Name, Actions, 'action'>

/** The name of a filter that `applyFilters` dispatches. */
export type SyncFilterName<Name extends string> = Checked<Name, Filters, 'filter'>
