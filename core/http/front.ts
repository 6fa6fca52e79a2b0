import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { inject } from 'light-my-request'
import { toError, withStackOf } from '../errors.ts'
import type { Undo } from '../hooks/types.ts'
import { describeValue } from '../hooks/value-kind.ts'
import type { Owner } from '../owner.ts'
import { CallTimeout } from './time-limit.ts'

/** Bytes that a rendered answer may have, and milliseconds that it may take: an extension may stream without an end. */
const MAX_RENDERED = 16 * 1024 * 1024
const RENDER_TIME = 60_000

/**
 * Answers a request before the application is entered, and says whether it does: after `true` the request is the
 * handler's own, also where the answer comes later, within the setting `handlerTimeLimit`; after `false` it goes its usual
 * way.
 */
export type FrontHandler = (request: IncomingMessage, response: ServerResponse) => boolean

/** A whole answer of the site. */
export interface RenderedAnswer {
  readonly status: number
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly body: Buffer
}

/**
 * The slot before the application, for a page cache. One handler has it: the one that was installed last. It is passed
 * over while the site is in maintenance or closes, and for requests that HTTP does not allow.
 */
export interface Front {
  /** Takes the slot until undone; then whoever had it before has it again. */
  install(handler: FrontHandler): Undo
  /** Id of the extension whose handler has the slot; `undefined` if nobody has it. */
  readonly owner: string | undefined
  /** Lets the application answer a request that the handler took. Headers that are set already stay. */
  pass(request: IncomingMessage, response: ServerResponse): void
  /**
   * What the site answers to a GET of this path and query by a visitor about whom nothing is known: no cookie, no
   * header of any client, an address of this machine. The handler is not asked.
   * @throws Error if the answer is longer than 16 MiB, takes longer than a minute or breaks off
   */
  render(path: string): Promise<RenderedAnswer>
}

interface Entry {
  readonly handler: FrontHandler
  readonly owner: Owner | undefined
  readonly added: Error
}

/** The front as the host uses it. */
export interface FrontSlot extends Front {
  /** @param added Made where the handler was installed. */
  install(handler: FrontHandler, owner?: Owner, added?: Error): Undo
  /** Says what answers when the handler does not. */
  connect(application: RequestListener): void
  readonly listener: RequestListener
}

/**
 * @param parts.host value of `Host` in rendered requests
 * @param parts.isClosed whether every request has to go to the application
 * @param parts.timeLimit milliseconds in which an owned handler has to begin the answer of a request that it took
 */
export function createFront(parts: { host: string; isClosed: () => boolean; timeLimit: () => number }): FrontSlot {
  const { host, isClosed, timeLimit } = parts
  const entries: Entry[] = []
  const passed = new WeakSet<ServerResponse>()
  let application: RequestListener = (_request, response) => response.writeHead(503).end()

  /** Whether the handler of the slot has taken the request. */
  function isTaken(request: IncomingMessage, response: ServerResponse): boolean {
    const entry = entries.at(-1)
    const isProper = request.headers.host !== undefined && request.headers.expect === undefined
    if (!entry || !isProper || isClosed()) return false
    const { handler, owner, added } = entry
    if (!owner) return handler(request, response)
    try {
      const taken: unknown = handler(request, response)
      if (typeof taken !== 'boolean') {
        throw withStackOf(
          new TypeError(`The front handler returned ${describeValue(taken)}, not whether it answers.`),
          added,
        )
      }
      if (taken && !isUnderWay(response)) limit(request, response, owner, added)
      return taken
    } catch (error) {
      owner.onError(toError(error, added), 'the front')
      return response.headersSent
    }
  }

  const isUnderWay = (response: ServerResponse) => response.headersSent || passed.has(response)

  /** The request goes its usual way if the handler does nothing with it in time. */
  function limit(request: IncomingMessage, response: ServerResponse, owner: Owner, added: Error): void {
    const call = { what: 'The front handler', limit: timeLimit(), added, unloaded: undefined }
    const timer = setTimeout(() => {
      if (isUnderWay(response)) return
      owner.onError(new CallTimeout(call), 'the front')
      application(request, response)
    }, call.limit)
    response.once('close', () => clearTimeout(timer))
  }

  return {
    install(handler, owner, added = new Error('Added here.')) {
      const entry: Entry = { handler, owner, added }
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
    render: (path) => renderWhole(application, host, path),
    connect(listener) {
      application = listener
    },
    listener(request, response) {
      if (!isTaken(request, response)) application(request, response)
    },
  }
}

/** What the application answers to a GET of nobody, in one piece. */
async function renderWhole(application: RequestListener, host: string, path: string): Promise<RenderedAnswer> {
  let giveUp = () => {}
  const dispatch: RequestListener = (request, response) => {
    giveUp = () => response.destroy()
    application(request, response)
  }
  const overdue = setTimeout(() => giveUp(), RENDER_TIME).unref()
  try {
    const answer = await inject(dispatch, {
      method: 'GET',
      url: path,
      headers: { host, 'user-agent': 'Pentad' },
      remoteAddress: '127.0.0.1',
      payloadAsStream: true,
    })
    const chunks: Buffer[] = []
    let length = 0
    for await (const chunk of answer.stream()) {
      length += chunk.length
      if (length > MAX_RENDERED) throw new Error(`${path} is longer than ${MAX_RENDERED} bytes.`)
      chunks.push(chunk)
    }
    const headers = Object.entries(answer.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value : String(value)] as const],
    )
    return { status: answer.statusCode, headers: Object.fromEntries(headers), body: Buffer.concat(chunks) }
  } finally {
    clearTimeout(overdue)
    giveUp()
  }
}
