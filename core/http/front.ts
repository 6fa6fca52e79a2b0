import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { toError, withStackOf } from '../errors.ts'
import type { Undo } from '../hooks/types.ts'
import { describeValue } from '../hooks/value-kind.ts'
import type { Owner } from '../owner.ts'
import { CallTimeout } from './time-limit.ts'

/** Limits of a rendered response in bytes and milliseconds: the stream of an extension may be infinite. */
const MAX_RENDERED = 16 * 1024 * 1024
const RENDER_TIME = 60_000

/**
 * Handles a request before the application does. If it returns `true`, the handler must respond, within the `handlerTimeLimit` setting; if
 * `false`, the application handles the request.
 */
export type FrontHandler = (request: IncomingMessage, response: ServerResponse) => boolean

/** The fields of a request that responses and their observers depend on. */
export type RequestHead = Pick<IncomingMessage, 'headers' | 'method' | 'socket' | 'url'>

/** A response that is available immediately. */
export interface ReadyResponse {
  readonly status: number
  /** The status line and all headers except `Date` and connection headers, each line terminated by CRLF. */
  readonly head: Buffer
  /** Absent for HEAD and 304. */
  readonly body?: Buffer | undefined
}

/**
 * Responds to a GET or HEAD without a body, or returns `undefined`; then the request goes through the handler. It is called before Node
 * parses the request, and must decide as the handler does. With `after`, it is called once more when the promise has settled.
 */
export type ReadyHandler = (request: RequestHead) => ReadyResponse | { readonly after: Promise<unknown> } | undefined

function isReadyResponse(value: unknown): value is NonNullable<ReturnType<ReadyHandler>> {
  if (typeof value !== 'object' || value === null) return false
  if (!('status' in value && 'head' in value)) return 'after' in value && value.after instanceof Promise
  const isBody = !('body' in value) || value.body === undefined || Buffer.isBuffer(value.body)
  return Number.isInteger(value.status) && Buffer.isBuffer(value.head) && isBody
}

/** A complete response of the site. */
export interface RenderedResponse {
  readonly status: number
  /** Lowercase names. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly body: Buffer
}

/**
 * The slot before the application, for a page cache. Only the handler installed last is called; none in maintenance mode, during shutdown
 * and for malformed requests.
 */
export interface Front {
  /**
   * Installs a handler until undone; then the previous one is active again.
   * @param ready responds to requests whose response is available immediately, at less cost
   */
  install(handler: FrontHandler, ready?: ReadyHandler): Undo
  /** Id of the extension whose handler is active; `undefined` without a handler. */
  readonly owner: string | undefined
  /** Passes a request that the handler accepted to the application. Headers already set are preserved. */
  pass(request: IncomingMessage, response: ServerResponse): void
  /**
   * Renders the response to a GET of this path and query for an anonymous visitor: without cookies or headers of any client, from the
   * loopback address, and without calling the handler.
   * @throws Error if the response exceeds 16 MiB, takes longer than a minute or is aborted
   */
  render(path: string): Promise<RenderedResponse>
}

interface Entry {
  readonly handler: FrontHandler
  readonly ready: ReadyHandler | undefined
  readonly owner: Owner | undefined
  readonly added: Error
}

/** The front as used by the host. */
export interface FrontSlot extends Front {
  /** @param added An error created where the handler was installed. */
  install(handler: FrontHandler, ready?: ReadyHandler, owner?: Owner, added?: Error): Undo
  /** Sets the application, which responds if the handler does not. */
  connect(application: RequestListener): void
  readonly listener: RequestListener
  /** The response of the active handler, if it is available immediately. */
  readonly respond: ReadyHandler
}

/**
 * @param parts.host `Host` header of rendered requests
 * @param parts.isClosed whether all requests must go to the application
 * @param parts.timeLimit milliseconds in which an owned handler must start its response
 */
export function createFront(parts: { host: string; isClosed: () => boolean; timeLimit: () => number }): FrontSlot {
  const { host, isClosed, timeLimit } = parts
  const entries: Entry[] = []
  const passed = new WeakSet<ServerResponse>()
  let application: RequestListener = (_request, response) => response.writeHead(503).end()

  /** Whether the handler accepted the request, or has started a response before it failed. */
  function isHandled(request: IncomingMessage, response: ServerResponse): boolean {
    const entry = entries.at(-1)
    const isSupported = request.headers.host !== undefined && request.headers.expect === undefined
    if (!entry || !isSupported || isClosed()) return false
    const { handler, owner, added } = entry
    if (!owner) return handler(request, response)
    try {
      const taken: unknown = handler(request, response)
      if (typeof taken !== 'boolean') {
        throw withStackOf(
          new TypeError(`The front handler returned ${describeValue(taken)}, instead of a boolean.`),
          added,
        )
      }
      if (taken && !hasStarted(response)) enforceLimit(request, response, owner, added)
      return taken
    } catch (error) {
      owner.onError(toError(error, added), 'the front')
      return response.headersSent
    }
  }

  const hasStarted = (response: ServerResponse) => response.headersSent || passed.has(response)

  /** Passes the request to the application if the handler does not respond in time. */
  function enforceLimit(request: IncomingMessage, response: ServerResponse, owner: Owner, added: Error): void {
    const call = { what: 'The front handler', limit: timeLimit(), added, unloaded: undefined }
    const timer = setTimeout(() => {
      if (hasStarted(response)) return
      owner.onError(new CallTimeout(call), 'the front')
      application(request, response)
    }, call.limit)
    response.once('close', () => clearTimeout(timer))
  }

  return {
    install(handler, ready, owner, added = new Error('Added here.')) {
      const entry: Entry = { handler, ready, owner, added }
      entries.push(entry)
      return () => {
        const at = entries.indexOf(entry)
        if (at >= 0) entries.splice(at, 1)
      }
    },
    get owner() {
      return entries.at(-1)?.owner?.id
    },
    pass(request, response) {
      passed.add(response)
      application(request, response)
    },
    render: (path) => renderComplete(application, host, path),
    connect(listener) {
      application = listener
    },
    listener(request, response) {
      if (!isHandled(request, response)) application(request, response)
    },
    respond(request) {
      const entry = entries.at(-1)
      if (!entry?.ready || isClosed()) return undefined
      try {
        const response: unknown = entry.ready(request)
        if (response === undefined || isReadyResponse(response)) return response
        const problem = `The ready handler of the front returned ${describeValue(response)}, instead of a valid response.`
        throw withStackOf(new TypeError(problem), entry.added)
      } catch (error) {
        if (!entry.owner) throw error
        entry.owner.onError(toError(error, entry.added), 'the front')
        return undefined
      }
    },
  }
}

/** The application's complete response to an anonymous GET. */
async function renderComplete(application: RequestListener, host: string, path: string): Promise<RenderedResponse> {
  // Imported late: only a page cache renders pages this way.
  const { inject } = await import('light-my-request')
  let abort = () => {}
  const dispatch: RequestListener = (request, response) => {
    abort = () => response.destroy()
    application(request, response)
  }
  const timer = setTimeout(() => abort(), RENDER_TIME).unref()
  try {
    const response = await inject(dispatch, {
      method: 'GET',
      url: path,
      headers: { host, 'user-agent': 'Pentad' },
      remoteAddress: '127.0.0.1',
      payloadAsStream: true,
    })
    const chunks: Buffer[] = []
    let length = 0
    for await (const chunk of response.stream()) {
      length += chunk.length
      if (length > MAX_RENDERED) throw new Error(`${path} is longer than ${MAX_RENDERED} bytes.`)
      chunks.push(chunk)
    }
    const headers = Object.entries(response.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value : String(value)] as const],
    )
    const [first = Buffer.alloc(0)] = chunks
    const body = chunks.length > 1 ? Buffer.concat(chunks) : first
    return { status: response.statusCode, headers: Object.fromEntries(headers), body }
  } finally {
    clearTimeout(timer)
    abort()
  }
}
