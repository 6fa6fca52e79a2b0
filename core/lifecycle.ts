/** Hooks of the host's lifecycle, emitted by `core/host.ts`. */
declare module './hooks/names.ts' {
  interface AsyncActions {
    /**
     * Fires when the host is ready and the active extensions are set up, before the first request is served. For an extension
     * that is activated or reloaded later, its own callbacks are called right after its `setup`, before its registrations
     * become visible; if one throws, the activation or reload fails, as in `setup`.
     *
     * @since 0.1.0
     */
    init: []

    /**
     * Fires before the host shuts down, after the requests in flight have finished; the extensions and the database are still available.
     *
     * @since 0.1.0
     */
    shutdown: []
  }
}

export {}
