declare module '../hooks/names.ts' {
  interface AsyncActions {
    /**
     * Fires after an administrator or the command line has switched an extension on. Not fired when the site starts with
     * an extension that was already active, nor on a reload.
     *
     * @param id - The extension's id.
     * @since 0.1.0
     */
    activated_plugin: [id: string]
    /**
     * Fires after an extension was switched off and everything it had registered is gone.
     *
     * @param id - The extension's id.
     * @since 0.1.0
     */
    deactivated_plugin: [id: string]

    /**
     * Fires after what runs of an extension has changed, whoever did it: switched on or off, here or by another process,
     * reloaded or paused. Not fired while the site starts or closes. Nobody waits for its callbacks.
     *
     * @param id - The extension's id.
     * @since 0.1.0
     */
    extension_switched: [id: string]
  }
}

export {}
