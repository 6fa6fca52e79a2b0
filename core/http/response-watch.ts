import type { IncomingHttpHeaders } from 'node:http'
import { deprecate } from 'node:util'
import type { Hooks } from '../hooks/types.ts'
import type { RequestHead } from './front.ts'

/** A request and its response: from the application, a page cache in front of it, or an error. */
export interface CompletedRequest {
  readonly method: string
  /** Path and query as requested. */
  readonly url: string
  /** Lowercase names. */
  readonly headers: Readonly<IncomingHttpHeaders>
  /** Of the response. */
  readonly status: number
  /** Of the client; forwarded headers count only from trusted proxies. */
  readonly clientAddress: string
}

declare module '../hooks/names.ts' {
  interface Actions {
    /**
     * Fires after a response is handed off to the operating system, including cached pages and files, but not aborted responses. It fires
     * for every request, so callbacks should only record data and process it later.
     * @param request The request, and the status of its response.
     * @since 0.1.0
     * @example
     * ```ts
     * import { defineExtension } from 'pentad'
     *
     * export default defineExtension({
     *   id: 'request-counter',
     *   name: 'Request counter',
     *   version: '1.0.0',
     *   setup({ hooks, log, setInterval }) {
     *     let requests = 0
     *     hooks.addAction('response_sent', () => {
     *       requests++
     *     })
     *     setInterval(() => log.info(`${requests} requests so far`), 60_000)
     *   },
     * })
     * ```
     */
    response_sent: [request: CompletedRequest]

    /**
     * Deprecated: use `response_sent`. Will be removed in 1.0.0.
     * @deprecated Use `response_sent`.
     * @param request The request, and the status of its response.
     * @since 0.1.0
     */
    request_answered: [request: CompletedRequest]
  }
}

const warnOfFormerName = deprecate(
  () => {},
  'The action request_answered was renamed to response_sent.',
  'PENTAD_REQUEST_ANSWERED',
)

/**
 * Creates a function that returns, for a request, the one to call with the status once its response is sent; it fires `response_sent`.
 * While the hook has no callbacks, a request costs two lookups.
 *
 * @param clientAddress Reads the client's address from a request whose connection is open.
 */
export function createResponseWatch(
  hooks: Pick<Hooks, 'hasAction' | 'doAction'>,
  clientAddress: (request: RequestHead) => string,
): (request: RequestHead) => ((status: number) => void) | undefined {
  return (request) => {
    const names = (['response_sent', 'request_answered'] as const).filter((name) => hooks.hasAction(name))
    if (names.length === 0) return undefined
    if (names.includes('request_answered')) warnOfFormerName()
    const { method = '', url = '', headers } = request
    // Read now, because the address is unavailable once the connection is closed.
    const address = clientAddress(request)
    return (status) => {
      for (const name of names) hooks.doAction(name, { method, url, headers, status, clientAddress: address })
    }
  }
}
