/** What `upgrader_process_complete` receives. The names are those of WordPress's `$hook_extra`. */
export interface UpgradeReport {
  readonly action: 'install' | 'update'
  readonly type: 'plugin'
  /** IDs of the extensions. */
  readonly plugins: readonly string[]
  /** The version that was installed before; `null` for a new extension. */
  readonly previousVersion: string | null
  readonly version: string
}

declare module '../../core/hooks/names.ts' {
  interface AsyncActions {
    /**
     * Fires after an extension was installed or updated. An updated extension that is active runs its new version by then.
     * After a command, it fires in the running site.
     *
     * @param upgrade - What was done.
     * @since 0.1.0
     */
    upgrader_process_complete: [upgrade: UpgradeReport]
    /**
     * Fires after the files of an extension were deleted, or could not be deleted. After a command, it fires in the running site.
     *
     * @param id - The extension's ID.
     * @param deleted - Whether they were deleted.
     * @since 0.1.0
     */
    deleted_plugin: [id: string, deleted: boolean]
  }
}
