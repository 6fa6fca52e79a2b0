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

/** Keeps what is wrong with a name out of the names that an editor offers. */
interface Problem {
  readonly [wrongHookName]: true
}
declare const wrongHookName: unique symbol

/** What an editor asks of: all that is offered, where the name itself is not known yet. So is a name known at run time. */
type Checked<Name extends string, Declared, Wrong extends string> = string & {} extends Name
  ? Offered<Declared>
  : CheckedLiteral<Name, Declared, Wrong>

/** The name itself if it is declared, else what is wrong with it. */
type CheckedLiteral<Name extends string, Declared, Wrong extends string> = Name extends `${string}${Blank}${string}`
  ? `Write a name in place of ${Blank} in ${Name}.` & Problem
  : Name extends keyof Declared
    ? Name
    : Wrong & Problem

type AnyAction = Actions & AsyncActions
type AnyFilter = Filters & AsyncFilters

type Unknown<Name extends string> =
  `Unknown hook ${Name}. Check its spelling, or declare it with declare module 'pentad'.`

type WrongAction<Name extends string> = Name extends keyof AnyFilter
  ? `${Name} is a filter, not an action: use addFilter, applyFilters and the like.`
  : Unknown<Name>

type WrongFilter<Name extends string> = Name extends keyof AnyAction
  ? `${Name} is an action, not a filter: use addAction, doAction and the like.`
  : Unknown<Name>

export type OfferedAction = Offered<AnyAction>
export type OfferedFilter = Offered<AnyFilter>
export type OfferedSyncAction = Offered<Actions>
export type OfferedSyncFilter = Offered<Filters>

/** The name of an action, synchronous or not; of another text, what is wrong with it. */
export type ActionName<Name extends string> = Checked<Name, AnyAction, WrongAction<Name>>

/** The name of a filter, synchronous or not. */
export type FilterName<Name extends string> = Checked<Name, AnyFilter, WrongFilter<Name>>

/** The name of an action that `doAction` dispatches. */
export type SyncActionName<Name extends string> = Checked<
  Name,
  Actions,
  Name extends keyof AsyncActions ? `${Name} is asynchronous: await doActionAsync.` : WrongAction<Name>
>

/** The name of a filter that `applyFilters` dispatches. */
export type SyncFilterName<Name extends string> = Checked<
  Name,
  Filters,
  Name extends keyof AsyncFilters ? `${Name} is asynchronous: await applyFiltersAsync.` : WrongFilter<Name>
>
