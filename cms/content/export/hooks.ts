import type { FilterShapes } from '../../../core/hooks/shapes.ts'
import type { JsonValue } from '../../../core/options/types.ts'
import type { ExportFilter } from './types.ts'

declare module '../../../core/hooks/names.ts' {
  interface AsyncActions {
    /**
     * Fires before content is exported as a WordPress export file.
     * @param filter Which content to export; empty for everything.
     * @since 0.1.0
     */
    export_wp: [filter: ExportFilter]
  }

  interface Filters {
    /**
     * Filters whether to exclude a meta value of a post from an export.
     * @param skip Whether to exclude it; default `true` for edit locks and the state of an unfinished import.
     * @param key The meta key.
     * @param value The value.
     * @since 0.1.0
     */
    wxr_export_skip_postmeta: [skip: boolean, key: string, value: JsonValue]
    /**
     * Filters whether to exclude a meta value of a term from an export.
     * @param skip Whether to exclude it; default `true` for the state of an unfinished import.
     * @param key The meta key.
     * @param value The value.
     * @since 0.1.0
     */
    wxr_export_skip_termmeta: [skip: boolean, key: string, value: JsonValue]
    /**
     * Filters whether to exclude a meta value of a comment from an export.
     * @param skip Whether to exclude it; default `false`.
     * @param key The meta key.
     * @param value The value.
     * @since 0.1.0
     */
    wxr_export_skip_commentmeta: [skip: boolean, key: string, value: JsonValue]
  }
}

/** What these filters may return at run time. */
export const filterShapes = {
  wxr_export_skip_postmeta: 'boolean',
  wxr_export_skip_termmeta: 'boolean',
  wxr_export_skip_commentmeta: 'boolean',
} satisfies FilterShapes
