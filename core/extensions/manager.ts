import type { Extension } from './extension.ts'
import type { Origin } from './origin.ts'
import type { ExtensionReport } from './types.ts'

/** The extensions of a site. Operations on one extension happen one after the other. */
export interface ExtensionManager {
  /** Whether only services run. */
  readonly safeMode: boolean
  /**
   * Finds all extensions and starts those that are active. One that fails is paused; the others go on. In safe mode only
   * services start.
   *
   * @param run - `false` starts none: for commands that must work whatever an extension does.
   */
  load(run?: boolean): Promise<void>
  /** Starts and stops what a change of the license allows or no longer allows. */
  followLicense(): Promise<void>
  /** Looks again for extensions that came or went. */
  discover(): Promise<void>
  /** Looks again if files of a running extension were deleted, or some are missing and may be back. */
  checkFiles(): Promise<void>
  /**
   * Adds one extension from where it lies, a folder or a file; it wins over one of the same id. Resolves to its id.
   * @throws Error if there is none
   */
  add(path: string): Promise<string>
  /** As of the last look. */
  get(id: string): Pick<Extension, 'isService' | 'source' | 'noteError' | 'pause' | 'pauseForFault'> | undefined
  /** Sorted by id, as of the last look. */
  list(): ExtensionReport[]
  /** Those that run, sorted by id. */
  running(): Pick<ExtensionReport, 'id' | 'name'>[]
  /**
   * Activates an extension; harmless if it is active. Fires `activated_plugin`. A process that has not started the extensions
   * starts those that are active first.
   *
   * @param confirm - Called before one is trusted that came with a backup that this site did not sign; an error that it throws
   *   rejects the activation. Without it, the caller vouches for the code.
   * @throws RestError `extension_not_found`; `extension_failed` with the reason in `data.reason`, and then it is paused.
   */
  activate(id: string, confirm?: () => Promise<void>): Promise<ExtensionReport>
  /** Deactivates an extension; harmless if it is inactive. Fires `deactivated_plugin`. @throws RestError `extension_not_found` */
  deactivate(id: string): Promise<ExtensionReport>
  /**
   * Replaces the running version by the one on the disk, or starts a paused extension again.
   *
   * @param isNewer - Whether the files have changed, so that a set-up in progress is canceled.
   * @throws RestError `extension_not_found`; `extension_failed` with the reason, and then the old version runs on.
   */
  reload(id: string, isNewer?: boolean): Promise<ExtensionReport>
  /** The code of an extension that started what runs now, where that is known. */
  origin(): Origin | undefined
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
