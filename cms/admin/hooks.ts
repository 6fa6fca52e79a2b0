import type { ExtensionReport } from '../../core/extensions/types.ts'
import type { FilterShapes } from '../../core/hooks/shapes.ts'
import { json } from '../../core/hooks/value-checks.ts'
import type { RestRequest } from '../../core/rest/types.ts'

type Data = Readonly<Record<string, unknown>>

declare module '../../core/hooks/names.ts' {
  interface AsyncFilters {
    /**
     * Filters an extension in responses of `wp/v2/plugins`.
     * @param data The response; return a new object instead of modifying this one.
     * @param report The extension.
     * @param request The request.
     * @since 0.1.0
     */
    rest_prepare_plugin: [data: Data, report: ExtensionReport, request: RestRequest]
  }
}

/** What these filters may return at run time. */
export const filterShapes = {
  rest_prepare_plugin: json('object'),
} satisfies FilterShapes
