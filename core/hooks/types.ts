import type { Owner, Staged } from '../owner.ts'
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

/** What undoes a registration. Calling it twice is harmless. */
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
 * A callback of another bundle, whose function cannot be imported: by the name of its function, as the inspector shows
 * it, and its owner (`core` or an extension's id) where several have a callback of that name.
 */
export interface CallbackName {
  readonly name: string
  readonly owner?: string | undefined
}

/** What a callback is added with, beside its function. */
export interface CallbackOptions {
  /** Default 10. */
  readonly priority?: number
  /** Default: all arguments. */
  readonly acceptedArgs?: number
  /**
   * `'closed'` for a callback that protects content: when it throws, takes too long or returns a wrong value, the page or
   * REST answer that asked is 503 and stored by no cache, and so it stays while its extension is paused. Default `'open'`:
   * such a callback is skipped.
   */
  readonly onError?: 'open' | 'closed'
}

/** Limits of one async dispatch. */
export interface DispatchLimits {
  /** Fires when whoever asked no longer waits, for example when the HTTP client left. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds that each callback may take. */
  readonly timeout?: number | undefined
  /**
   * `false` where the hook reports what has already happened: a `RestError` cancels nothing and counts as any other error.
   * Default `true`.
   */
  readonly cancelable?: boolean | undefined
  /** @deprecated Use `cancelable`. */
  readonly refusable?: boolean | undefined
  /**
   * Told of each owned callback that threw, rejected or took too long, after its owner: for whoever dispatches again
   * when a listener failed. Not told of a `RestError` that refuses, nor of a callback that merely obeyed a signal.
   */
  readonly onError?: ((error: unknown, ownerId: string) => void) | undefined
}

/**
 * The hooks of WordPress, with its order, priorities, removal and re-entrancy
 * (https://developer.wordpress.org/plugins/hooks/), under the names of `@wordpress/hooks`.
 * No function needs its `this`, so they can be taken apart: `const { addFilter } = host.hooks`.
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
   * Declares what callbacks of filters may return at run time. Where an extension's callback returns anything else, the
   * value before it is kept and its owner is told; so it is with what a callback throws. Without a shape every value goes on.
   * @param shapes - `'string'`, `'number'`, `'boolean'`, `'array'`, `'object'`, a list such as `['string', 'null']`,
   *   `'any'`, or a schema of zod
   * @throws TypeError on a shape that is none of these
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
   * Removes the callback from that priority; `false` if it was not there. A callback of core or of another extension is
   * named instead, `removeFilter('the_content', 'wpautop')`, and then no priority means any. What an extension removes
   * of others comes back, in its old place, when the extension is unloaded.
   *
   * @throws Error if several owners have a callback of that name and none was named.
   */
  removeAction<Name extends OfferedAction>(
    name: ActionName<Name>,
    callback: ActionCallback<Name> | string | CallbackName,
    priority?: number,
  ): boolean
  /** As `removeAction`. */
  removeFilter<Name extends OfferedFilter>(
    name: FilterName<Name>,
    callback: FilterCallback<Name> | string | CallbackName,
    priority?: number,
  ): boolean
  removeAllActions(name: string, priority?: number): void
  removeAllFilters(name: string, priority?: number): void
  /** Without a callback: whether anything listens. With one: its priority, or `false`. */
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
  /** The async pair under limits: `hooks.limited({ signal, timeout: 5000 }).doActionAsync(…)`. */
  limited(limits: DispatchLimits): Pick<Hooks, 'doActionAsync' | 'applyFiltersAsync'>
  /** Inside a callback of an async dispatch: fires on time-out, on the client's leaving and on unload. */
  currentSignal(): AbortSignal | undefined
  /** How often the hook was dispatched. */
  didAction(name: string): number
  didFilter(name: string): number
  /**
   * Ids of the extensions whose callbacks listen to a hook, or to one of a family (`render_block*`), `core` for the host's
   * own. The same array until a callback comes or goes.
   */
  owners(name: string): readonly string[]
  currentAction(): string | false
  currentFilter(): string | false
  /** Without a name: whether any hook runs. */
  doingAction(name?: string): boolean
  doingFilter(name?: string): boolean
}

/** One registered callback as the administrator sees it. */
export interface HookListener {
  /** Id of its owner; empty for a callback added to the bare registry. */
  readonly owner: string
  /** Name of the function; without one where an extension added it (`cart/index.ts:12`), or `(anonymous)`. */
  readonly callback: string
  readonly priority: number
  /** `null`: it gets all arguments. */
  readonly acceptedArgs: number | null
  /** `closed`: it protects content. */
  readonly onError: 'open' | 'closed'
  /** How often it was called; callbacks that a thrown error kept from being reached count as called. */
  readonly calls: number
  /**
   * Milliseconds that its calls took altogether, with the hooks that it dispatched and what it waited for. Of many calls
   * some are measured and stand for the others.
   */
  readonly time: number
  /** Milliseconds that the longest of the measured calls took. */
  readonly longest: number
}

/** One hook name, seen or listened to. */
export interface HookReport {
  readonly name: string
  /** How often it was dispatched. */
  readonly count: number
  /** In the order in which they run. */
  readonly listeners: readonly HookListener[]
}

export interface ViewOptions {
  /**
   * Keeps what is registered and removed through the view to itself until `commit`.
   * Its `has…` functions see it already; dispatches, also those made through the view, do not.
   */
  readonly staged?: boolean
}

/** The bare registry: as `Hooks`, where errors propagate, plus what the host needs to hand out owned views. */
export interface HookRegistry extends Hooks {
  /** A view whose registrations are guarded, belong to the owner and are removed by its `dispose`. */
  forOwner(owner: Owner, options?: ViewOptions): OwnedHooks
  /** Every hook name dispatched or listened to, sorted by name. */
  inspect(): HookReport[]
}

/**
 * Disposing of it removes everything that was registered through it. Dispatches under way finish
 * with the callbacks they began with; what is registered through it afterwards throws.
 */
export interface OwnedHooks extends Hooks, Staged {
  /**
   * Puts a staged view in the place of another one, which is thereby disposed of. No dispatch that
   * begins later sees both or neither; one under way finishes with the callbacks it began with. A
   * callback of the new view takes the place of the old one's at the same hook and priority, so
   * that a reload does not change the order among extensions.
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
   * A function as the only callback of an async filter: guarded, limited in time and named as one that was added. For functions
   * that the value of another filter brings along.
   * @param added Made where the owner's code added what brought the function.
   */
  guard(name: string, callback: (...args: unknown[]) => unknown, added: Error): (...args: unknown[]) => Promise<unknown>
  /**
   * If the action has fired, dispatches it again to this view's own callbacks alone, staged ones too. Does not count as
   * a dispatch. Unlike in a dispatch, what a callback throws propagates.
   */
  replay<Name extends OfferedAction>(name: ActionName<Name>, ...args: ActionArguments<Name>): Promise<void>
}
