import type { Actions, AsyncActions, AsyncFilters, Filters } from './names.ts'

/** What undoes a registration. Calling it twice is harmless. */
export type Undo = () => void

/** A declared name, or a name only known at run time (`string`); a literal that nobody declared does not compile. */
export type HookName<Name extends string, Declared> = Name extends keyof Declared
  ? Name
  : string extends Name
    ? Name
    : never

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

/** Limits of one async dispatch. */
export interface DispatchLimits {
  /** Fires when whoever asked no longer waits, for example when the HTTP client left. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds that each callback may take. */
  readonly timeout?: number | undefined
  /**
   * `false` where what the hook tells of is done: a `RestError` refuses nothing any more and counts as any other error.
   * Default `true`.
   */
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
  addAction<Name extends string>(
    name: HookName<Name, Actions & AsyncActions>,
    callback: ActionCallback<Name>,
    priority?: number,
    acceptedArgs?: number,
  ): Undo
  addFilter<Name extends string>(
    name: HookName<Name, Filters & AsyncFilters>,
    callback: FilterCallback<Name>,
    priority?: number,
    acceptedArgs?: number,
  ): Undo
  /** Removes the callback from that priority; `false` if it was not there. */
  removeAction<Name extends string>(
    name: HookName<Name, Actions & AsyncActions>,
    callback: ActionCallback<Name>,
    priority?: number,
  ): boolean
  removeFilter<Name extends string>(
    name: HookName<Name, Filters & AsyncFilters>,
    callback: FilterCallback<Name>,
    priority?: number,
  ): boolean
  removeAllActions(name: string, priority?: number): void
  removeAllFilters(name: string, priority?: number): void
  /** Without a callback: whether anything listens. With one: its priority, or `false`. */
  hasAction(name: string): boolean
  hasAction<Name extends string>(
    name: HookName<Name, Actions & AsyncActions>,
    callback: ActionCallback<Name>,
  ): number | false
  hasFilter(name: string): boolean
  hasFilter<Name extends string>(
    name: HookName<Name, Filters & AsyncFilters>,
    callback: FilterCallback<Name>,
  ): number | false
  doAction<Name extends string>(name: HookName<Name, Actions>, ...args: ActionArguments<Name>): void
  applyFilters<Name extends string>(
    name: HookName<Name, Filters>,
    value: FilterValue<Name>,
    ...args: FilterRest<Name>
  ): FilterValue<Name>
  doActionAsync<Name extends string>(
    name: HookName<Name, Actions & AsyncActions>,
    ...args: ActionArguments<Name>
  ): Promise<void>
  applyFiltersAsync<Name extends string>(
    name: HookName<Name, Filters & AsyncFilters>,
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
  currentAction(): string | false
  currentFilter(): string | false
  /** Without a name: whether any hook runs. */
  doingAction(name?: string): boolean
  doingFilter(name?: string): boolean
}

/**
 * Whoever registers on behalf of somebody: core itself or one extension. An owner's callbacks are
 * guarded: what they throw goes to `onError` and the dispatch goes on, `RestError` alone passes through.
 */
export interface HookOwner {
  readonly id: string
  /** Fires when the owner is unloaded. */
  readonly signal: AbortSignal
  onError(error: unknown, hook: string): void
  /** A filter callback returned `undefined`; the value was left as it was. */
  onUndefined(hook: string): void
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
  /** How often it was called; callbacks that a thrown error kept from being reached count as called. */
  readonly calls: number
  /**
   * Milliseconds that its calls took altogether, with the hooks that it dispatched and what it waited for. Of many calls
   * some are measured and stand for the others.
   */
  readonly time: number
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
   * Keeps what is registered and removed through the view to itself until `commit` or `swap`.
   * Its `has…` functions see it already; dispatches, also those made through the view, do not.
   */
  readonly staged?: boolean
}

/** The bare registry: as `Hooks`, where errors propagate, plus what the host needs to hand out owned views. */
export interface HookRegistry extends Hooks {
  /** A view whose registrations are guarded, belong to the owner and are removed by its `dispose`. */
  forOwner(owner: HookOwner, options?: ViewOptions): OwnedHooks
  /**
   * Puts a staged view in the place of another one, which is thereby disposed of. No dispatch that
   * begins later sees both or neither; one under way finishes with the callbacks it began with. A
   * callback of the new view takes the place of the old one's at the same hook and priority, so
   * that a reload does not change the order among extensions.
   *
   * @example
   * ```ts
   * import type { HookOwner, HookRegistry, Hooks, OwnedHooks } from 'pentad'
   *
   * export async function reload(
   *   registry: HookRegistry,
   *   running: OwnedHooks,
   *   owner: HookOwner,
   *   setup: (hooks: Hooks) => Promise<void>,
   * ): Promise<OwnedHooks> {
   *   const next = registry.forOwner(owner, { staged: true })
   *   try {
   *     await setup(next)
   *   } catch (error) {
   *     next[Symbol.dispose]()
   *     throw error
   *   }
   *   registry.swap(running, next)
   *   return next
   * }
   * ```
   */
  swap(outgoing: OwnedHooks, incoming: OwnedHooks): void
  /** Every hook name dispatched or listened to, sorted by name. */
  inspect(): HookReport[]
}

/**
 * Disposing of it removes everything that was registered through it. Dispatches under way finish
 * with the callbacks they began with; what is registered through it afterwards throws.
 */
export interface OwnedHooks extends Hooks, Disposable {
  /** Makes what a staged view holds public, at once; harmless on a view that is not staged. */
  commit(): void
  /**
   * If the action has fired, dispatches it again to this view's own callbacks alone, staged ones too. Does not count as
   * a dispatch. Unlike in a dispatch, what a callback throws propagates.
   */
  catchUp<Name extends string>(
    name: HookName<Name, Actions & AsyncActions>,
    ...args: ActionArguments<Name>
  ): Promise<void>
}
