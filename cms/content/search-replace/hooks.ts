declare module '../../../core/hooks/names.ts' {
  interface AsyncActions {
    /**
     * Fires once after a text was replaced in all content (`pentad search-replace`). Posts, terms and
     * comments that were changed by it fire nothing of their own.
     * @param search what was searched for
     * @param replacement the replacement
     * @since 0.1.0
     */
    search_replaced: [search: string, replacement: string]
  }
}

export {}
