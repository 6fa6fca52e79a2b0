import type { RestRequest } from '../rest/types.ts'
import type { ExtensionReport } from './types.ts'

type Data = Readonly<Record<string, unknown>>

declare module '../hooks/names.ts' {
  interface AsyncFilters {
    /**
     * One extension as `wp/v2/plugins` answers it.
     * @param data the JSON; answer a new object, do not change this one
     * @param report the extension
     * @param request the request
     * @since 0.1.0
     */
    rest_prepare_plugin: [data: Data, report: ExtensionReport, request: RestRequest]
  }
}
