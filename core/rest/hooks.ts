import { RestError } from '../errors.ts'
import type { FilterShapes } from '../hooks/shapes.ts'
import type { ContentsCheck } from '../hooks/value-checks.ts'
import { describeValue, kindOf } from '../hooks/value-kind.ts'
import { asResponse, findUnsendable, type RestResponse } from './response.ts'
import type { IncomingRequest, Rest } from './types.ts'

declare module '../hooks/names.ts' {
  interface AsyncActions {
    /**
     * Fires when the REST API is ready: the routes of core and of the active extensions are registered. Use it to register
     * routes that depend on others. For an extension that is activated or reloaded later, its own callbacks are called right
     * after its `setup`, as for `init`.
     *
     * @param rest The route registry; an extension's callbacks receive their own `host.rest`.
     * @since 0.1.0
     */
    rest_api_init: [rest: Pick<Rest, 'registerRoute' | 'url' | 'dispatch'>]
  }

  interface Filters {
    /**
     * Filters the response of `GET /wp-json/`. Unlike WordPress's `rest_index`, it receives the body, not a response object.
     *
     * @param index The response body; return a new object with added or replaced properties.
     * @since 0.1.0
     */
    rest_index: [index: Readonly<Record<string, unknown>>]
  }

  interface AsyncFilters {
    /**
     * Short-circuits a REST request. Fires when the route and the user are known, before permissions and input are
     * checked; a callback that returns a response is responsible for permissions.
     *
     * @param result `null` to continue; anything else becomes the response: a `RestResponse` or the JSON body.
     * @param request The request, before its input is read.
     * @since 0.1.0
     *
     * @example
     * ```ts
     * import { defineExtension, RestError } from 'pentad'
     *
     * export default defineExtension({
     *   id: 'read-only',
     *   name: 'Read only',
     *   version: '1.0.0',
     *   setup({ hooks }) {
     *     hooks.addFilter('rest_pre_dispatch', (result, request) => {
     *       if (request.method !== 'GET')
     *         throw new RestError('read_only', 'The site is read-only at the moment.', { status: 403 })
     *       return result
     *     })
     *   },
     * })
     * ```
     */
    rest_pre_dispatch: [result: unknown, request: IncomingRequest]

    /**
     * Filters every response of a REST route, including errors, before `_embed`, `_fields`, and `_envelope` are applied.
     *
     * @param response The response; return a different one to replace it.
     * @param request The request.
     * @since 0.1.0
     */
    rest_post_dispatch: [response: RestResponse, request: IncomingRequest]
  }
}

/** Return values of these filters: a `RestResponse` or a JSON body that can be sent. */
const sendable: ContentsCheck = {
  contentsFault: (value) => (value instanceof RestError ? undefined : findUnsendable(asResponse(value))),
}

const sendableObject: ContentsCheck = {
  contentsFault: (value) =>
    kindOf(value) === 'object' ? sendable.contentsFault(value) : `${describeValue(value)} instead of object`,
}

/** Run-time shapes of these filters. */
export const filterShapes = {
  rest_index: sendableObject,
  rest_pre_dispatch: sendable,
  rest_post_dispatch: sendableObject,
} satisfies FilterShapes
