import type { Caller } from './native-calls.ts'
import type { ExtensionReport } from './types.ts'

/** The extensions of a site. Operations on one extension happen one after the other. */
export interface ExtensionManager {
  /** Whether only services run. */
  readonly safeMode: boolean
  /**
   * Finds all extensions, pauses those that took the last process down, and starts those that are active. One that
   * fails is paused; the others go on. In safe mode only services start.
   *
   * @param run - `false` starts none: for commands that must work whatever an extension does.
   */
  load(run?: boolean): Promise<void>
  /** Looks again for extensions that came or went. */
  discover(): Promise<void>
  /**
   * Takes in one extension from wherever it lies, a folder or a file; it wins over one of the same id in the folders.
   * Resolves to its id. @throws Error if there is none.
   */
  add(path: string): Promise<string>
  /** Sorted by id, as of the last look. */
  list(): ExtensionReport[]
  /** Those that run, sorted by id. */
  running(): Pick<ExtensionReport, 'id' | 'name'>[]
  /**
   * Switches an extension on; harmless if it is. Fires `activated_plugin`. A process that has not started the extensions
   * leaves it to the server of the site; if there is none it starts those that are active first.
   *
   * @param confirm - Called before one is trusted that came with a backup that this site did not sign; what it throws refuses
   *   the activation. Without it, the caller vouches for the code.
   * @throws RestError `extension_not_found`; `extension_failed` with the reason in `data.reason`, and then it is paused.
   */
  activate(id: string, confirm?: () => Promise<void>): Promise<ExtensionReport>
  /**
   * Switches an extension off; harmless if it is. Fires `deactivated_plugin`. As `activate`, but without a server no
   * extension is started for it. @throws RestError `extension_not_found`
   */
  deactivate(id: string): Promise<ExtensionReport>
  /**
   * Replaces the running version by the one on the disk, or starts a paused extension again.
   * @throws RestError `extension_not_found`; `extension_failed` with the reason, and then the old version runs on.
   */
  reload(id: string): Promise<ExtensionReport>
  /** From now on other processes may leave it to this one to switch extensions. */
  serve(): void
  /** From now on reloads an extension when one of its files is saved. */
  watch(): void
  /**
   * For the process's `unhandledRejection` and `uncaughtException`: whether an extension is to blame for the error. If
   * so it is counted like any throw of that extension, unless it comes of a version that is gone. It is logged either
   * way.
   */
  reportStray(error: unknown): boolean
  /**
   * Whose code is running in a stack that was read from outside, for example of an event loop that is blocked:
   * the owner of the topmost frame that belongs to an extension. `undefined` if none does.
   */
  ownerOfStack(stack: string): StackOwner | undefined
  /**
   * For what would end or change the process, such as `process.exit`: whether an extension is the caller. If so it is paused.
   *
   * @param what - What was called: `process.exit(1)`.
   * @param harm - What that would do: `end the whole site`.
   */
  reportExit(what: string, harm: string): boolean
  /**
   * For a function of JavaScript itself, `Array.prototype.map`, that was found replaced: pauses the extension
   * that wrote what took its place.
   *
   * @param frame - Where that was written, as a stack shows it; `undefined` where that is not known.
   * @returns whether an extension could be named
   */
  reportReplaced(name: string, frame: string | undefined): boolean
  /** Whose code runs, or started what runs now and waited in between; `undefined` if no extension's, as far as is known. */
  caller(): Caller | undefined
  /**
   * From now on `around` calls the code that is run as an extension is loaded, its module and what its `setup` does at
   * once. Where it throws, the extension does not start. Services are not concerned.
   */
  aroundLoading(around: <Result>(load: () => Result) => Result): void
  /** Logs of each extension which calls of its code are in progress, if any. */
  warnOfCalls(message: string): void
  /** @param left - Milliseconds in which calls in progress may end, asked again for each extension. Default: 7 s for each. */
  close(left?: () => number): Promise<void>
}

/** The extension whose code is running in a stack. */
export interface StackOwner {
  readonly extension: string
  readonly isService: boolean
  /** The author's file and line: `sieve/index.ts:12`; `null` of a version that is gone. */
  readonly place: string | null
}
