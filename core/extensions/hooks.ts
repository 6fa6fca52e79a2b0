import { json } from '../hooks/contents.ts'
import type { FilterShapes } from '../hooks/shapes.ts'
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

  interface AsyncActions {
    /**
     * Fires after an administrator or the command line has switched an extension on. Not fired when the site starts with
     * an extension that was already active, nor on a reload.
     *
     * @param id - The extension's id.
     * @since 0.1.0
     */
    activated_plugin: [id: string]
    /**
     * Fires after an extension was switched off and everything it had registered is gone.
     *
     * @param id - The extension's id.
     * @since 0.1.0
     */
    deactivated_plugin: [id: string]

    /**
     * Fires after what runs of an extension has changed, whoever did it: switched on or off, here or by another process,
     * reloaded or paused. Not fired while the site starts or closes. Nobody waits for its callbacks.
     *
     * @param id - The extension's id.
     * @since 0.1.0
     */
    extension_switched: [id: string]
  }
}

/** What these filters may return at run time. */
export const filterShapes = {
  rest_prepare_plugin: json('object'),
} satisfies FilterShapes
