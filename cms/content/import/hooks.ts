declare module '../../../core/hooks/names.ts' {
  interface AsyncActions {
    /**
     * Fires before a WordPress export is imported. Imported posts, terms, comments, and users also fire their own hooks.
     *
     * @since 0.1.0
     */
    import_start: []

    /**
     * Fires after an import finishes, fails, or is canceled.
     *
     * @since 0.1.0
     */
    import_end: []
  }
}

export {}
