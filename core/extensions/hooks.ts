declare module '../hooks/names.ts' {
  interface AsyncActions {
    /**
     * Fires after an extension is activated in the admin, over REST, or by a command. Not fired when the site starts with an
     * extension that was already active, nor on a reload.
     *
     * @param id - The extension's ID.
     * @since 0.1.0
     */
    activated_plugin: [id: string]
    /**
     * Fires before an extension is deactivated, while it is still running. Not fired when it is paused or reloaded, nor when the site shuts down.
     *
     * @param id - The extension's ID.
     * @since 0.1.0
     */
    deactivate_plugin: [id: string]
    /**
     * Fires after an extension is deactivated and everything it registered is removed.
     *
     * @param id - The extension's ID.
     * @since 0.1.0
     */
    deactivated_plugin: [id: string]

    /**
     * Fires after an extension is activated, deactivated, reloaded, or paused, in this or any other process. Not fired
     * while the site starts or shuts down. No request waits for its callbacks.
     *
     * @param id - The extension's ID.
     * @since 0.1.0
     */
    extension_state_changed: [id: string]
    /**
     * Deprecated: use `extension_state_changed`, which fires at the same time. Will be removed in 1.0.0.
     *
     * @param id - The extension's ID.
     * @since 0.1.0
     * @deprecated Use `extension_state_changed`.
     */
    extension_switched: [id: string]
  }
}

export {}
