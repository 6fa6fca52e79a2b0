import type { FilterShapes } from '../../../core/hooks/shapes.ts'
import type { JsonValue } from '../../../core/options/types.ts'
import type { ExportFilter } from './types.ts'

declare module '../../../core/hooks/names.ts' {
  interface AsyncActions {
    /**
     * Fires before content is exported as a WordPress export file.
     * @param filter what is exported; empty for everything
     * @since 0.1.0
     */
    export_wp: [filter: ExportFilter]
  }

  interface Filters {
    /**
     * Whether an export leaves out a meta value of a post, such as one that only this site can use.
     * @param skip `true` for edit locks and what an unfinished import noted
     * @param key the meta key
     * @param value the value
     * @since 0.1.0
     */
    wxr_export_skip_postmeta: [skip: boolean, key: string, value: JsonValue]
    /**
     * Whether an export leaves out a meta value of a term.
     * @param skip `true` for what an unfinished import noted
     * @param key the meta key
     * @param value the value
     * @since 0.1.0
     */
    wxr_export_skip_termmeta: [skip: boolean, key: string, value: JsonValue]
    /**
     * Whether an export leaves out a meta value of a comment.
     * @param skip `false`
     * @param key the meta key
     * @param value the value
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
