import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Hooks } from '../hooks/types.ts'

/** A request that was answered: by the application, by a page cache before it, or with a refusal. */
export interface AnsweredRequest {
  readonly method: string
  /** Path and query as they were asked for. */
  readonly url: string
  /** Lower-case names. */
  readonly headers: Readonly<IncomingHttpHeaders>
  /** Of the answer. */
  readonly status: number
  /** The client's; what a proxy says is believed only if it is trusted. */
  readonly clientAddress: string
}

declare module '../hooks/names.ts' {
  interface Actions {
    /**
     * Fires after a response was sent, including pages from the page cache and files.
     * Not fired for aborted responses. It fires for each and every request, so a callback only notes what it needs
     * and leaves the work for later.
     * @param request what was asked, and how it was answered
     * @since 0.1.0
     * @example
     * ```ts
     * import { defineExtension } from 'pentad'
     *
     * export default defineExtension({
     *   id: 'busy',
     *   name: 'Busy',
     *   version: '1.0.0',
     *   setup({ hooks, log, setInterval }) {
     *     let requests = 0
     *     hooks.addAction('request_answered', () => {
     *       requests++
     *     })
     *     setInterval(() => log.info(`${requests} requests so far`), 60_000)
     *   },
     * })
     * ```
     */
    request_answered: [request: AnsweredRequest]
  }
}

/**
 * Makes what `request_answered` fires from. A request of which nobody wants to hear costs one look-up.
 *
 * @param clientAddress tells the client of a request whose connection is open
 */
export function createAnswerWatch(
  hooks: Pick<Hooks, 'hasAction' | 'doAction'>,
  clientAddress: (request: IncomingMessage) => string,
): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    if (!hooks.hasAction('request_answered')) return
    const { method = '', url = '', headers } = request
    // After the answer the connection may be closed, and its address gone.
    const address = clientAddress(request)
    response.on('finish', () => {
      const { statusCode: status } = response
      hooks.doAction('request_answered', { method, url, headers, status, clientAddress: address })
    })
  }
}
