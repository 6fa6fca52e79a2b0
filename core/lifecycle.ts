/** Hooks of the host's lifecycle, emitted by `core/host.ts`. */
declare module './hooks/names.ts' {
  interface AsyncActions {
    /**
     * The host is ready and the active extensions are set up; nothing is served yet. An extension that is
     * activated or reloaded later has its own callbacks called right after its `setup`, before anything of it is
     * visible; what they throw then fails the activation or reload, as in `setup`.
     *
     * @since 0.1.0
     */
    init: []

    /**
     * Fires before the host closes: requests in flight have finished; extensions and database are still available.
     *
     * @since 0.1.0
     */
    shutdown: []
  }
}

export {}
