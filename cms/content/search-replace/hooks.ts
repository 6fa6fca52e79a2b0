declare module '../../../core/hooks/names.ts' {
  interface AsyncActions {
    /**
     * Fires once after text is replaced in all content (`pentad search-replace`). The changed posts, terms, and
     * comments fire no hooks of their own.
     * @param search The text that was searched for.
     * @param replacement The replacement.
     * @since 0.1.0
     */
    search_replaced: [search: string, replacement: string]
  }
}

export {}
