import { AsyncLocalStorage } from 'node:async_hooks'
import { ANONYMOUS } from '../auth/identify.ts'
import type { Identity } from '../auth/types.ts'
import { ContentClosed } from '../hooks/errors.ts'
import { WaitingTime } from '../hooks/waiting.ts'

/** The client of a request, and the ID under which it is logged. */
export interface Client {
  readonly address: string
  readonly userAgent: string
  readonly requestId: string
}

/**
 * Shared by all code that handles one request: the current user, and whether the response depends on it. It follows the request through
 * `await`, timers and concurrent work, and is invisible to other requests.
 */
export class RequestContext {
  #client: Client | undefined
  /** Time spent waiting for callbacks, including internal requests. */
  readonly waiting: WaitingTime
  readonly #parent: RequestContext | undefined
  #identity: Identity
  #variesByUser = false
  #isClosed = false
  readonly #cause = requestId()

  /**
   * @param parent Context of the outer request.
   * @param waiting Waiting time to count toward; default: the parent's, or else its own.
   */
  constructor(identity: Identity, parent?: RequestContext, waiting = parent?.waiting ?? new WaitingTime()) {
    this.waiting = waiting
    this.#identity = identity
    this.#parent = parent
  }

  /** Whether the current user was read: the response is then private, and no cache may store it. */
  get variesByUser(): boolean {
    return this.#variesByUser
  }

  /** The current user. Reading it marks the response as varying by user. */
  get identity(): Identity {
    this.vary()
    return this.#identity
  }

  /** The client; `undefined` for internal requests without an outer one. */
  get client(): Client | undefined {
    return this.#client ?? this.#parent?.client
  }

  /** ID under which the code is logged; that of the causing request for work that is not part of one. */
  get requestId(): string | undefined {
    return this.client?.requestId ?? this.#cause
  }

  /** Sets the client. */
  setClient(client: Client): void {
    this.#client = client
  }

  /** Marks the response as varying by user. */
  vary(): void {
    this.#variesByUser = true
    const parent = this.#parent
    if (parent !== undefined && parent.#identity.user?.id === this.#identity.user?.id) parent.vary()
  }

  /** Whether a protective callback failed: the response is incomplete, and no cache may store it. */
  get isIncomplete(): boolean {
    return this.#isClosed
  }

  /** Marks the response as incomplete because a protective callback failed. */
  markIncomplete(): void {
    this.#isClosed = true
    this.#parent?.markIncomplete()
  }

  /** Sets the current user once it is known; until then it is an anonymous visitor. */
  identify(identity: Identity): void {
    this.#identity = identity
  }
}

/** Shared by all hosts of the process; each request has its own context. Work outside of requests has the ID of the one that caused it, if any. */
const storage = new AsyncLocalStorage<RequestContext | string | undefined>()

/** The context of the current request; `undefined` in jobs, timers, commands and during startup. */
export function currentRequest(): RequestContext | undefined {
  const store = storage.getStore()
  return typeof store === 'object' ? store : undefined
}

/** ID of the request that the code runs for, or that caused the job, queue item, or timer in which it runs. */
export function requestId(): string | undefined {
  const store = storage.getStore()
  return typeof store === 'object' ? store.requestId : store
}

/** Whether the code runs for a request, and not in a job, timer, command or during startup. */
export function isHandlingRequest(): boolean {
  return currentRequest() !== undefined
}

/** Handles an incoming request; the current user is an anonymous visitor until `identify`. */
export function inRequest<Result>(work: (request: RequestContext) => Result): Result {
  const request = new RequestContext(ANONYMOUS)
  return storage.run(request, work, request)
}

/**
 * Handles an internal request of a given user. If it is the user of the outer request, the outer response varies by user as soon as the
 * inner one does.
 */
export function asUser<Result>(identity: Identity, work: () => Result): Result {
  return storage.run(new RequestContext(identity, currentRequest()), work)
}

/** Runs work outside of any request, even if a request started it: jobs, timers. @param cause - ID of that request. */
export function outsideRequests<Result>(work: () => Result, cause?: string): Result {
  return storage.run(cause, work)
}

/**
 * Renders shared content for an anonymous visitor. `variedByUser` reports that the current user was read: the result is then valid for
 * anonymous visitors only. `isClosed` reports that something that protects content failed: the request is already marked, and every other request
 * that uses the result must be marked too.
 */
export async function asVisitor<Result>(
  work: () => Result | Promise<Result>,
): Promise<{ readonly result: Result; readonly variedByUser: boolean; readonly isIncomplete: boolean }> {
  const outer = currentRequest()
  const request = new RequestContext(ANONYMOUS, undefined, outer?.waiting)
  try {
    const result = await storage.run(request, work)
    return { result, variedByUser: request.variesByUser, isIncomplete: request.isIncomplete }
  } catch (error) {
    if (error instanceof ContentClosed) request.markIncomplete()
    throw error
  } finally {
    if (request.isIncomplete) outer?.markIncomplete()
  }
}
