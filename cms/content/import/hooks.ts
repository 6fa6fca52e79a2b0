declare module '../../../core/hooks/names.ts' {
  interface AsyncActions {
    /**
     * Fires before a WordPress export is moved into the site. Content fires its own hooks for what is added.
     *
     * @since 0.1.0
     */
    import_start: []

    /**
     * Fires after an import has finished, failed or been canceled.
     *
     * @since 0.1.0
     */
    import_end: []
  }
}

export {}
