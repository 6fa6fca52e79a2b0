import { type CallLimits, type LimitedCall, withinTime } from '../http/time-limit.ts'
import type { Owner } from '../owner.ts'
import type { Endpoint } from './registry.ts'
import type { IncomingRequest } from './types.ts'

/** Calls code of a route's owner within its time limit. */
export interface OwnedCode {
  /** Whether the route belongs to an extension. */
  isExtensionRoute(endpoint: Endpoint): boolean
  /** Runs a permission check or input validation. @throws CallTimeout, and what `work` throws */
  check<Result>(
    endpoint: Endpoint,
    request: IncomingRequest,
    what: 'permission check' | 'input schema',
    work: () => Promise<Result>,
  ): Promise<Result>
  /** Runs a handler. @param work Receives a function that creates the request's signal. @throws CallTimeout, and what `work` throws */
  handle<Result>(
    endpoint: Endpoint,
    request: IncomingRequest,
    work: (signal: () => AbortSignal) => Promise<Result>,
  ): Promise<Result>
  /** Waits for the first bytes of a returned stream, with the same time limit as a handler. @throws CallTimeout, and what `work` throws */
  startStream(endpoint: Endpoint, request: IncomingRequest, work: () => Promise<void>): Promise<void>
}

/**
 * @param core Owner of the product's routes, which have no limit: extension code that they call has its own.
 * @param waiter Returns the signal of the hook callback that dispatches the request, if any.
 */
export function createOwnedCode(
  core: Owner,
  limits: () => CallLimits,
  waiter: () => AbortSignal | undefined,
): OwnedCode {
  const isExtensionRoute = ({ owner }: Endpoint) => owner !== core
  const handlerLimit = ({ route }: Endpoint) => route.timeLimit ?? limits().handler
  return {
    isExtensionRoute,
    check(endpoint, request, what, work) {
      if (!isExtensionRoute(endpoint)) return work()
      return withinTime({ ...callOf(endpoint, request, what), waiter: waiter(), limit: limits().check }, work)
    },
    handle(endpoint, request, work) {
      const { route } = endpoint
      if (!isExtensionRoute(endpoint)) return work(() => request.signal)
      const limit = handlerLimit(endpoint)
      // While the handler reads the body itself, only the server's own limit applies.
      const isReceiving = () => route.body === 'stream' && request.stream?.complete === false && !request.signal.aborted
      return withinTime({ ...callOf(endpoint, request, 'handler'), waiter: waiter(), limit, isReceiving }, work)
    },
    startStream(endpoint, request, work) {
      if (!isExtensionRoute(endpoint)) return work()
      const limit = handlerLimit(endpoint)
      return withinTime({ ...callOf(endpoint, request, 'first byte of the stream'), limit }, work)
    },
  }
}

function callOf({ owner, added, pattern }: Endpoint, request: IncomingRequest, what: string) {
  return {
    what: `The ${what} of ${request.method} ${pattern.template}`,
    added,
    unloaded: owner.signal,
    client: request.signal,
  } satisfies Partial<LimitedCall>
}
