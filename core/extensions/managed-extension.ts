import type { AvailableExtension } from './source.ts'
import type { ExtensionReport } from './types.ts'

/** One extension of the site: its state, and its running version if it is active. */
export interface ManagedExtension {
  readonly id: string
  readonly name: string
  /** Whether it is one of the services. */
  readonly isService: boolean
  /** As of the last scan. */
  source: AvailableExtension
  readonly running: boolean
  /** Id, version and code hash of the running version; `undefined` if none is running. */
  readonly software: string | undefined
  report(): ExtensionReport
  /** Whether its files were deleted. */
  readonly filesMissing: boolean
  /** Activates it. Resolves to whether that changed anything. @throws Error with the reason if it cannot run. */
  activate(): Promise<boolean>
  /** Deactivates it. Resolves to whether that changed anything. */
  deactivate(): Promise<boolean>
  /** Forgets its state; with `withData`, its `uninstall` runs first. @throws Error if it is running, or `uninstall` fails */
  uninstall(withData: boolean): Promise<void>
  /**
   * Replaces the running version with the one on disk. If `isNewer`, a setup in progress of older files is canceled.
   * @throws Error with the reason; the running version keeps running.
   */
  reload(isNewer?: boolean): Promise<void>
  /**
   * Applies the stored state, the license and the files on disk. Never rejects.
   *
   * @returns the change to announce, made by another process or caused by the license or files
   */
  follow(): Promise<'activated' | 'deactivated' | undefined>
  /** Whether it had too many errors and is about to be paused. */
  readonly isPausing: boolean
  /** Counts an error of its code; too many errors pause it. */
  recordError(error: unknown, where: string): void
  /** Errors of its code since the host started. */
  errorCount(): number
  /** Pauses it if it is active. Errors are logged. */
  pause(why: string): Promise<void>
  /** Pauses it because it ended the previous process, even if it is not stored as active since it was being activated. */
  pauseForFault(why: string): Promise<void>
  /** Deactivates it if an administrator still has to trust it, even if its stored state is active. */
  deactivateUntrusted(): Promise<void>
  /** Closes the content that it protects, in a process that does not start it. */
  keepClosed(): void
  /** Calls of its code in progress, and its streams being sent. */
  inProgress(): string[]
  /** Tears down the running version without changing the state. @param left - Milliseconds until the site is closed. */
  close(left: () => number): Promise<void>
}
