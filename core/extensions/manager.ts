import type { ManagedExtension } from './managed-extension.ts'
import type { Origin } from './origin.ts'
import type { ExtensionReport } from './types.ts'

/** The extensions of a site. Operations on one extension are serialized. */
export interface ExtensionManager {
  /** Whether only services run. */
  readonly safeMode: boolean
  /**
   * Scans for extensions and starts the active ones. One that fails is paused; the others start. In safe mode only services start.
   *
   * @param run - `false` starts none, for commands that must work even if an extension is broken.
   */
  load(run?: boolean): Promise<void>
  /** Starts or stops the extensions that require a license, after the license changed. */
  followLicense(): Promise<void>
  /** Scans again for added and removed extensions. */
  discover(): Promise<void>
  /** Scans again if files of a running extension were deleted, or missing files may have been restored. */
  checkFiles(): Promise<void>
  /**
   * Adds an extension from a folder or file, which takes precedence over others with the same id. Resolves to its id.
   * @throws Error if the path contains no extension
   */
  add(path: string): Promise<string>
  /** As of the last scan. */
  get(
    id: string,
  ):
    | Pick<
        ManagedExtension,
        'isService' | 'source' | 'running' | 'isPausing' | 'recordError' | 'errorCount' | 'pause' | 'pauseForFault'
      >
    | undefined
  /** Sorted by id, as of the last scan. */
  list(): ExtensionReport[]
  /** Running extensions, sorted by id. */
  running(): Pick<ExtensionReport, 'id' | 'name'>[]
  /**
   * Activates an extension; does nothing if it is active. Fires `activated_plugin`. If the extensions were not started in this process,
   * the active ones are started first.
   *
   * @param confirm - Called before an extension from another site's backup is trusted; throwing an error rejects the activation. Without it,
   * the extension is trusted.
   * @throws RestError `extension_not_found`; `extension_failed` with the reason in `data.reason`, in which case it is paused.
   */
  activate(id: string, confirm?: () => Promise<void>): Promise<ExtensionReport>
  /** Deactivates an extension; does nothing if it is inactive. Fires `deactivated_plugin`. @throws RestError `extension_not_found`, `extension_required` */
  deactivate(id: string): Promise<ExtensionReport>
  /**
   * Forgets the state of an inactive extension, before its files are deleted. With `withData`, its `uninstall` function runs first.
   * @throws RestError `extension_not_found`; `extension_failed` with the reason, in which case nothing is forgotten.
   */
  uninstall(id: string, withData: boolean): Promise<void>
  /**
   * Replaces the running version with the one on disk, or restarts a paused extension.
   *
   * @param isNewer - Whether the files have changed, so that a setup in progress is canceled.
   * @throws RestError `extension_not_found`; `extension_failed` with the reason, in which case the old version keeps running.
   */
  reload(id: string, isNewer?: boolean): Promise<ExtensionReport>
  /** The extension code that started the running async context, if known. */
  origin(): Origin | undefined
  /**
   * Wraps the code that runs while an extension is loaded: its module and the synchronous part of `setup`. If `around` throws, the
   * extension does not start. Does not apply to services.
   */
  aroundLoading(around: <Result>(load: () => Result) => Result): void
  /** Logs the calls in progress of each extension that has any. */
  warnOfCalls(message: string): void
  /** @param left - Returns the remaining milliseconds for calls in progress; called for each extension. Default: 7 s for each. */
  close(left?: () => number): Promise<void>
}
