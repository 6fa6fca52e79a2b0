import type { Owner, Staged } from '../owner.ts'
import type { PriorityOf } from './entry.ts'
import type {
  ActionName,
  FilterName,
  OfferedAction,
  OfferedFilter,
  OfferedSyncAction,
  OfferedSyncFilter,
  SyncActionName,
  SyncFilterName,
} from './hook-name.ts'
import type { Actions, AsyncActions, AsyncFilters, Filters } from './names.ts'
import type { FilterShapes } from './shapes.ts'
// The former name: cspell:ignore refusable

/** Undoes a registration. Further calls do nothing. */
export type Undo = () => void

type Arguments<Declared, Name> = Name extends keyof Declared
  ? Declared[Name] extends readonly unknown[]
    ? Declared[Name]
    : never
  : unknown[]

export type ActionArguments<Name> = Name extends keyof Actions
  ? Arguments<Actions, Name>
  : Arguments<AsyncActions, Name>

export type FilterArguments<Name> = Name extends keyof Filters
  ? Arguments<Filters, Name>
  : Arguments<AsyncFilters, Name>

export type FilterValue<Name> = FilterArguments<Name> extends readonly [infer Value, ...unknown[]] ? Value : unknown

export type FilterRest<Name> = FilterArguments<Name> extends readonly [unknown, ...infer Rest] ? Rest : unknown[]

export type ActionCallback<Name> = Name extends keyof Actions
  ? (...args: ActionArguments<Name>) => void
  : (...args: ActionArguments<Name>) => void | Promise<void>

export type FilterCallback<Name> = Name extends keyof Filters
  ? (...args: FilterArguments<Name>) => FilterValue<Name>
  : (...args: FilterArguments<Name>) => FilterValue<Name> | Promise<FilterValue<Name>>

/**
 * Identifies a callback whose function cannot be imported: by function name, as shown by the inspector, and by owner (`core` or an
 * extension's id) if several owners have a callback with that name.
 */
export interface CallbackName {
  readonly name: string
  readonly owner?: string | undefined
}

/** Options of a callback. */
export interface CallbackOptions {
  /** Default 10. */
  readonly priority?: number
  /** Default: all arguments. */
  readonly acceptedArgs?: number
  /**
   * `'closed'` for a callback that protects content: if it throws, takes too long or returns an invalid value, the page or REST response is
   * a 503 that no cache stores, including while its extension is paused. Default `'open'`: the callback is skipped.
   */
  readonly onError?: 'open' | 'closed'
}

/** Limits of one async dispatch. */
export interface DispatchLimits {
  /** Aborted when the caller no longer waits, for example because the HTTP client disconnected. */
  readonly signal?: AbortSignal | undefined
  /** Time limit of each callback in milliseconds. */
  readonly timeout?: number | undefined
  /** `false` for hooks that report completed changes: a `RestError` cancels nothing and is treated like any other error. Default `true`. */
  readonly cancelable?: boolean | undefined
  /** @deprecated Use `cancelable`. */
  readonly refusable?: boolean | undefined
  /**
   * Called for each owned callback that threw, rejected or took too long, after its owner was notified, so that the caller can retry. Not
   * called for a `RestError` that cancels the dispatch, nor for a callback that was aborted by a signal.
   */
  readonly onError?: ((error: unknown, ownerId: string) => void) | undefined
}

/**
 * WordPress's hooks, with its order, priorities, removal and re-entrancy (https://developer.wordpress.org/plugins/hooks/), and the names of
 * `@wordpress/hooks`. Functions do not use `this` and can be destructured: `const { addFilter } = host.hooks`.
 */
export interface Hooks {
  addAction<Name extends OfferedAction>(
    name: ActionName<Name>,
    callback: ActionCallback<Name>,
    priority?: number | CallbackOptions,
    acceptedArgs?: number,
  ): Undo
  addFilter<Name extends OfferedFilter>(
    name: FilterName<Name>,
    callback: FilterCallback<Name>,
    priority?: number | CallbackOptions,
    acceptedArgs?: number,
  ): Undo
  /**
   * Declares what callbacks of filters may return at run time. If an extension's callback returns anything else, the value stays unchanged
   * and the error is reported to its owner, as if it had thrown. Without a shape every value is accepted.
   * @param shapes - `'string'`, `'number'`, `'boolean'`, `'array'`, `'object'`, a list such as `['string', 'null']`, `'any'`, or a zod
   *   schema
   * @throws TypeError if a shape is invalid
   *
   * @example
   * ```ts
   * import type { Hooks } from 'pentad'
   * import { z } from 'zod'
   *
   * declare module 'pentad' {
   *   interface Filters {
   *     walking_pace: [metersPerMinute: number]
   *     walking_tours: [tours: readonly string[]]
   *   }
   * }
   *
   * export function declareWalks(hooks: Hooks): void {
   *   hooks.declareFilters({ walking_pace: 'number', walking_tours: z.array(z.string()) })
   * }
   * ```
   */
  declareFilters(shapes: FilterShapes): Undo
  /**
   * Removes the callback from that priority; `false` if it was not there. A callback of core or of another extension is identified by name,
   * `removeFilter('the_content', 'wpautop')`, at any priority unless one is given. Removed callbacks of others are restored in their old
   * positions when the extension is unloaded.
   *
   * @throws Error if several owners have a callback with that name and none was specified.
   */
  removeAction<Name extends OfferedAction>(
    name: ActionName<Name>,
    callback: ActionCallback<Name> | string | CallbackName,
    priority?: number,
  ): boolean
  /** Like `removeAction`. */
  removeFilter<Name extends OfferedFilter>(
    name: FilterName<Name>,
    callback: FilterCallback<Name> | string | CallbackName,
    priority?: number,
  ): boolean
  removeAllActions(name: string, priority?: number): void
  removeAllFilters(name: string, priority?: number): void
  /** Without a callback: whether the hook has any. With one: its priority, or `false`. */
  hasAction(name: string): boolean
  hasAction<Name extends OfferedAction>(
    name: ActionName<Name>,
    callback: ActionCallback<Name> | string | CallbackName,
  ): number | false
  hasFilter(name: string): boolean
  hasFilter<Name extends OfferedFilter>(
    name: FilterName<Name>,
    callback: FilterCallback<Name> | string | CallbackName,
  ): number | false
  doAction<Name extends OfferedSyncAction>(name: SyncActionName<Name>, ...args: ActionArguments<Name>): void
  applyFilters<Name extends OfferedSyncFilter>(
    name: SyncFilterName<Name>,
    value: FilterValue<Name>,
    ...args: FilterRest<Name>
  ): FilterValue<Name>
  doActionAsync<Name extends OfferedAction>(name: ActionName<Name>, ...args: ActionArguments<Name>): Promise<void>
  applyFiltersAsync<Name extends OfferedFilter>(
    name: FilterName<Name>,
    value: FilterValue<Name>,
    ...args: FilterRest<Name>
  ): Promise<FilterValue<Name>>
  /** The async pair with limits: `hooks.limited({ signal, timeout: 5000 }).doActionAsync(…)`. */
  limited(limits: DispatchLimits): Pick<Hooks, 'doActionAsync' | 'applyFiltersAsync'>
  /** In a callback of an async dispatch: aborted on timeout, when the client disconnects, and on unload. */
  currentSignal(): AbortSignal | undefined
  /** Number of dispatches of the hook. */
  didAction(name: string): number
  didFilter(name: string): number
  /**
   * Ids of the extensions with callbacks for a hook or a family of hooks (`render_block*`); `core` for the host's own. Returns the same
   * array until callbacks are added or removed.
   */
  owners(name: string): readonly string[]
  currentAction(): string | false
  currentFilter(): string | false
  /** Without a name: whether any hook is running. */
  doingAction(name?: string): boolean
  doingFilter(name?: string): boolean
}

/** A registered callback in the hook inspector. */
export interface HookListener {
  /** Id of its owner; empty for a callback of the bare registry. */
  readonly owner: string
  /** Name of the function; for an anonymous one, where an extension added it (`cart/index.ts:12`), or `(anonymous)`. */
  readonly callback: string
  /** At which it runs: `ownPriority`, unless `reorder` chose another one. */
  readonly priority: number
  readonly ownPriority: number
  /** `null` for all arguments. */
  readonly acceptedArgs: number | null
  /** `closed`: it protects content. */
  readonly onError: 'open' | 'closed'
  /** Number of calls; callbacks not reached because of an error count as called. */
  readonly calls: number
  /**
   * Total milliseconds of its calls, including hooks that it dispatched and time spent waiting. Extrapolated from samples after many calls.
   */
  readonly time: number
  /** Milliseconds of the longest measured call. */
  readonly longest: number
}

/** A hook that was dispatched or has callbacks. */
export interface HookReport {
  readonly name: string
  /** Number of dispatches. */
  readonly count: number
  /** In execution order. */
  readonly listeners: readonly HookListener[]
}

export interface ViewOptions {
  /**
   * Keeps the view's registrations and removals private until `commit`. Its `has…` functions reflect them; dispatches, including those made
   * through the view, do not.
   */
  readonly staged?: boolean
}

/** The bare registry: like `Hooks`, but errors propagate, and with the functions that the host needs to create owned views. */
export interface HookRegistry extends Hooks {
  /** A view whose registrations are guarded, belong to the owner, and are removed by its `dispose`. */
  forOwner(owner: Owner, options?: ViewOptions): OwnedHooks
  /** Every hook dispatched or with callbacks, sorted by name. */
  inspect(): HookReport[]
  /**
   * Runs callbacks at other priorities than their own, in later dispatches. Callbacks are still removed and found by their own priority. At
   * the same priority, those with a lower one of their own run first.
   */
  reorder(priorityOf: PriorityOf): void
}

/**
 * Disposing of it removes everything registered through it. Dispatches in progress finish with the callbacks they started with; later
 * registrations throw.
 */
export interface OwnedHooks extends Hooks, Staged {
  /**
   * Publishes a staged view in place of another one, which is disposed of. Later dispatches see exactly one of the two; those in progress
   * finish with the callbacks they started with. At each hook and priority, callbacks of the new view take the positions of the old one's,
   * so that a reload does not change the order among extensions.
   *
   * @example
   * ```ts
   * import type { HookRegistry, Hooks, OwnedHooks, Owner } from 'pentad'
   *
   * export async function reload(
   *   registry: HookRegistry,
   *   running: OwnedHooks,
   *   owner: Owner,
   *   setup: (hooks: Hooks) => Promise<void>,
   * ): Promise<OwnedHooks> {
   *   const next = registry.forOwner(owner, { staged: true })
   *   try {
   *     await setup(next)
   *   } catch (error) {
   *     next[Symbol.dispose]()
   *     throw error
   *   }
   *   next.commit(running)
   *   return next
   * }
   * ```
   */
  commit(replacing?: Staged): void
  /**
   * Calls a function as the only callback of an async filter, guarded and with its time limit and name: for functions in the value of
   * another filter.
   * @param added An error created where the owner's code added the function.
   */
  guard(name: string, callback: (...args: unknown[]) => unknown, added: Error): (...args: unknown[]) => Promise<unknown>
  /**
   * If the action has fired, dispatches it again to this view's own callbacks only, including staged ones. Not counted as a dispatch.
   * Unlike in a dispatch, errors of callbacks propagate.
   */
  replay<Name extends OfferedAction>(name: ActionName<Name>, ...args: ActionArguments<Name>): Promise<void>
}
