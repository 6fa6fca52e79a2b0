import { AsyncLocalStorage } from 'node:async_hooks'
import { NOBODY } from '../auth/identify.ts'
import type { Identity } from '../auth/types.ts'
import { ContentClosed } from '../hooks/errors.ts'
import { WaitingTime } from '../hooks/waiting.ts'

/** Where a request came from. */
export interface Client {
  readonly address: string
  readonly userAgent: string
}

/**
 * What all code that answers one request has in common: who asks, and whether the answer depends on that. It follows the
 * request through `await`, timers and parallel work; no other request sees it.
 */
export class RequestContext {
  #client: Client | undefined
  /** What the request has waited for callbacks so far; one for all that it answers within itself. */
  readonly waiting: WaitingTime
  readonly #parent: RequestContext | undefined
  #identity: Identity
  #variesByUser = false
  #isClosed = false

  /**
   * @param parent Whose answer contains what this one answers.
   * @param waiting Of the request that waits for it; default: the parent's, else its own.
   */
  constructor(identity: Identity, parent?: RequestContext, waiting = parent?.waiting ?? new WaitingTime()) {
    this.waiting = waiting
    this.#identity = identity
    this.#parent = parent
  }

  /** Whether something asked who reads: the answer is then one reader's only, and no cache may store it. */
  get variesByUser(): boolean {
    return this.#variesByUser
  }

  /** Who asks. Reading it marks the answer as varying by user. */
  get identity(): Identity {
    this.vary()
    return this.#identity
  }

  /** Where the request came from; `undefined` in what is answered within the process. */
  get client(): Client | undefined {
    return this.#client ?? this.#parent?.client
  }

  /** Says where the request came from. */
  from(client: Client): void {
    this.#client = client
  }

  /** Marks the answer as varying by user. */
  vary(): void {
    this.#variesByUser = true
    const parent = this.#parent
    if (parent !== undefined && parent.#identity.user?.id === this.#identity.user?.id) parent.vary()
  }

  /** Whether something that protects content did not work: the answer holds less than it should, and no cache may store it. */
  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Marks the answer as holding less than it should. */
  close(): void {
    this.#isClosed = true
    this.#parent?.close()
  }

  /** Says who asks, once that is known; until then it is a visitor. */
  identify(identity: Identity): void {
    this.#identity = identity
  }
}

/**
 * One for all hosts of the process: it holds nothing itself, and each request brings its own context.
 */
const storage = new AsyncLocalStorage<RequestContext | undefined>()

/** The request that is being answered; `undefined` in jobs, timers, commands and while the site starts. */
export function currentRequest(): RequestContext | undefined {
  return storage.getStore()
}

/** Whether this is done for a request; not so in jobs, timers, commands and while the site starts. */
export function isAnsweringRequest(): boolean {
  return currentRequest() !== undefined
}

/** Answers a request that came in; the context is a visitor's until `identify`. */
export function inRequest<Result>(work: (request: RequestContext) => Result): Result {
  const request = new RequestContext(NOBODY)
  return storage.run(request, work, request)
}

/**
 * Answers something for a given reader within a request, as an internal REST request does. If that is the reader of the
 * request itself, the whole answer varies with them.
 */
export function asReader<Result>(identity: Identity, work: () => Result): Result {
  return storage.run(new RequestContext(identity, storage.getStore()), work)
}

/** Runs what belongs to no request, although one may have started it: jobs, timers. */
export function outsideRequests<Result>(work: () => Result): Result {
  return storage.run(undefined, work)
}

/**
 * Makes what many readers get, as for a visitor without a session. `variedByUser` says that something asked who reads
 * on the way: then the result is right for visitors only. `isClosed` says that something that protects content did not work:
 * the request that it is made for is marked already, each other one that gets the result has to be.
 */
export async function asVisitor<Result>(
  work: () => Result | Promise<Result>,
): Promise<{ readonly result: Result; readonly variedByUser: boolean; readonly isClosed: boolean }> {
  const outer = storage.getStore()
  const request = new RequestContext(NOBODY, undefined, outer?.waiting)
  try {
    const result = await storage.run(request, work)
    return { result, variedByUser: request.variesByUser, isClosed: request.isClosed }
  } catch (error) {
    if (error instanceof ContentClosed) request.close()
    throw error
  } finally {
    if (request.isClosed) outer?.close()
  }
}
