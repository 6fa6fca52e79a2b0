import { Readable } from 'node:stream'
import type { CoreAuth, Identity } from '../auth/types.ts'
import { RestError, toError, withOrigin, withStackOf } from '../errors.ts'
import type { Hooks } from '../hooks/types.ts'
import { CallTimeout } from '../http/time-limit.ts'
import { unexpectedError } from '../http/unexpected-error.ts'
import type { Logger } from '../log.ts'
import { explainDenial } from './denial.ts'
import { forbidden, noRoute, timedOut, toResponse, unloaded } from './errors.ts'
import type { RestFeatures } from './features.ts'
import { parseForm } from './form.ts'
import type { OwnedCode } from './owned-code.ts'
import { type Endpoint, METHODS, type PathEntry, type Registry } from './registry.ts'
import { asResponse, findUnsendable, jsonBody, RestResponse } from './response.ts'
import type { DispatchResult, ReceivedUpload, RestCall } from './rest-call.ts'
import type { Access, IncomingRequest, RestRequest } from './types.ts'

const JSON_LIMIT = 1024 * 1024
const PUBLIC_LIMIT = 64 * 1024

const NOTHING: Readonly<Record<string, unknown>> = Object.freeze({})

/** A request whose route and user are known. */
interface MatchedRequest {
  readonly entry: PathEntry
  readonly endpoint: Endpoint
  readonly captures: readonly string[]
  readonly request: IncomingRequest
  /** Whether the caller may use the endpoint; `null` until it was checked. */
  permitted: boolean | null
  /** Parsed as PHP does; `null` until it is needed. */
  query: DispatchResult['query'] | null
  /** The file of a route with `upload`, once it was received. */
  received: ReceivedUpload | null
}

export interface Dispatcher {
  /** Responds to a request: route, caller, permission, input, handler, filters. Never throws. */
  dispatch(call: RestCall): Promise<DispatchResult>
  /** Authorizes and validates without running the handler; returns the error, or `null` if the request would run. */
  check(call: RestCall): Promise<RestResponse | null>
}

/** Dispatches requests: matches the route, identifies the caller, checks permission and input, runs handler and filters. */
export function createDispatcher(parts: {
  registry: Registry
  hooks: Hooks
  auth: CoreAuth
  log: Logger
  code: OwnedCode
  describe: (entry: PathEntry) => unknown
  features: Partial<RestFeatures>
}): Dispatcher {
  const { registry, hooks, auth, log, code, features } = parts

  const identify = (call: RestCall, { route: { body, upload } }: Endpoint): Promise<Identity> =>
    call.identify({ readsBody: body !== 'stream' && !upload && call.method !== 'GET' })

  /** Matches the route and identifies the caller, which all later steps need. */
  async function match(call: RestCall): Promise<MatchedRequest> {
    const method = call.method === 'OPTIONS' ? null : call.method
    const found = call.segments && registry.find(method, call.segments)
    if (!found) throw noRoute()
    const { entry, captures } = found
    const endpoint = (method && entry.byMethod.get(method)) ?? entry.endpoints[0]
    if (!endpoint) throw noRoute()
    const request = incoming(call, endpoint, captures, await identify(call, endpoint))
    return { entry, endpoint, captures, request, permitted: null, query: null, received: null }
  }

  function incoming(
    call: RestCall,
    endpoint: Endpoint,
    captures: readonly string[],
    identity: Identity,
  ): IncomingRequest {
    return {
      user: identity.user,
      identity,
      method: call.method === 'OPTIONS' ? (endpoint.methods[0] ?? 'GET') : call.method,
      route: `/${call.segments?.join('/') ?? ''}`,
      params: paramsOf(endpoint, captures),
      query: new URLSearchParams(call.search),
      headers: call.headers,
      stream: call.stream,
      clientAddress: call.clientAddress,
      requestId: call.requestId,
      signal: call.signal,
      can: (capability, ...ids) => auth.can(identity.user, capability, ...ids),
    }
  }

  function permits(endpoint: Endpoint, request: IncomingRequest): boolean | Promise<boolean> {
    const { access } = endpoint.route
    if (access === 'public') return true
    if (typeof access === 'string') return auth.can(request.user, access)
    return code.check(endpoint, request, 'permission check', async () => {
      const decision: unknown = await access(request)
      // As in WordPress, a check may return the error instead of throwing it, which must not count as permission.
      if (decision instanceof Error) throw decision
      return Boolean(decision)
    })
  }

  /** Checks the permission, then the input. */
  async function authorizeAndValidate(
    matched: MatchedRequest,
    call: RestCall,
  ): Promise<Pick<RestRequest, 'input' | 'sent' | 'upload'>> {
    const { endpoint, request } = matched
    const { access, bodyLimit, body, upload: rule } = endpoint.route
    matched.permitted = false
    if (access !== 'public') await checkAccess(endpoint, request, call)
    matched.permitted = true
    matched.query = call.search === '' ? NOTHING : parseForm(request.query)
    const own = typeof bodyLimit === 'function' ? bodyLimit(request) : bodyLimit
    const limit = own ?? (access === 'public' ? PUBLIC_LIMIT : JSON_LIMIT)
    const received = rule && (await call.readUpload(rule, own))
    matched.received = received ?? null
    const isUnread = body === 'stream' || call.method === 'GET'
    const fromBody = received?.body ?? (isUnread ? NOTHING : await call.readBody(limit))
    const parsed = endpoint.parameters.parse(request.params, fromBody, matched.query)
    const { input, sent } =
      parsed instanceof Promise ? await code.check(endpoint, request, 'input schema', () => parsed) : parsed
    return { input, sent, upload: received?.upload ?? null }
  }

  /** @throws RestError the error of `access`, or the more specific one of `explainDenial` */
  async function checkAccess(endpoint: Endpoint, request: IncomingRequest, call: RestCall): Promise<void> {
    let denial: unknown
    try {
      if (await permits(endpoint, request)) return
      denial = endpoint.route.accessError?.(request.user) ?? forbidden(request.user)
    } catch (error) {
      denial = error
    }
    if (denial instanceof RestError) await explainDenial({ endpoint, request, call }, code)
    throw denial
  }

  async function run(matched: MatchedRequest, call: RestCall): Promise<RestResponse> {
    const { request, endpoint, entry } = matched
    if (hooks.hasFilter('rest_pre_dispatch')) {
      const result = await filtering(request).applyFiltersAsync('rest_pre_dispatch', null, request)
      if (result !== null) return asResponse(result)
    }
    if (call.method === 'OPTIONS') return new RestResponse(parts.describe(entry))
    try {
      const validated = await authorizeAndValidate(matched, call)
      const result = await code.handle(endpoint, request, async (signal) =>
        endpoint.route.handler({
          ...request,
          ...validated,
          get signal() {
            return signal()
          },
        }),
      )
      const response = asResponse(result)
      if (response.body instanceof Readable)
        endpoint.owner.onStream?.(response.body, `${request.method} ${request.route}`)
      if (code.isExtensionRoute(endpoint) || isFilteredByOthers()) assertSendable(response, endpoint)
      return response
    } finally {
      if (matched.received) await matched.received.remove()
    }
  }

  /** Whether an error in the response could be attributed to the wrong extension later. */
  const isFilteredByOthers = () => hooks.owners('rest_post_dispatch').some((owner) => owner !== 'core')

  /** Checks that the response can be sent, while its owner is known. @throws TypeError whose stack shows where the route was registered */
  function assertSendable(response: RestResponse, { pattern, added }: Endpoint): void {
    const fault = findUnsendable(response)
    if (fault === undefined) return
    jsonBody(response)
    throw withStackOf(new TypeError(`The handler of ${pattern.template} returned ${fault}.`), added)
  }

  /** A request's filters are aborted when its client disconnects. */
  function filtering(request: IncomingRequest): Pick<Hooks, 'applyFiltersAsync'> {
    return hooks.limited({ signal: request.signal })
  }

  /** The error as a response. Unexpected errors are reported to the route's owner and logged; the client sees only the request ID. */
  function errorResponse(thrown: unknown, call: RestCall, endpoint: Endpoint | undefined): RestResponse {
    // The thrown value can be anything, even an object whose properties throw.
    const error = toError(thrown, endpoint?.added)
    if (error instanceof RestError) return toResponse(error)
    const { signal } = endpoint?.owner ?? {}
    if (signal?.aborted && thrown === signal.reason) return toResponse(unloaded())
    const route = `${call.method} /${call.segments?.join('/') ?? ''}`
    if (error instanceof CallTimeout) {
      endpoint?.owner.onError(error, route, call.requestId)
      return toResponse(timedOut(call.requestId))
    }
    if (call.signal.aborted) log.debug({ err: error, requestId: call.requestId, route }, 'client disconnected')
    else report(error, call, endpoint)
    return toResponse(unexpectedError(error, call.requestId))
  }

  function report(error: Error, { method, segments, requestId }: RestCall, endpoint: Endpoint | undefined): void {
    const route = `${method} /${segments?.join('/') ?? ''}`
    if (endpoint) endpoint.owner.onError(withOrigin(error, endpoint.added), route, requestId)
    else log.error({ err: error, requestId, route }, 'REST request failed')
  }

  /** WordPress's `rest_send_allow_header`: the methods of this path that the caller may use. */
  async function allowed({ entry, endpoint: asked, captures, request, permitted }: MatchedRequest): Promise<string> {
    if (permitted !== null && entry.endpoints.length === 1) return permitted ? asked.allow : ''
    const methods = new Set<string>()
    const decided = new Map<Access, boolean>()
    if (permitted !== null) decided.set(asked.route.access, permitted)
    for (const endpoint of entry.endpoints) {
      if (!registry.exists(endpoint)) continue
      const { access } = endpoint.route
      let may = typeof access === 'string' || endpoint === asked ? decided.get(access) : undefined
      if (may === undefined) {
        const other = {
          ...request,
          method: endpoint.methods[0] ?? request.method,
          params: paramsOf(endpoint, captures),
        }
        may = await permitsMethod(endpoint, other)
        decided.set(access, may)
      }
      if (may) for (const method of endpoint.methods) methods.add(method)
    }
    return METHODS.filter((method) => methods.has(method)).join(', ')
  }

  /** Like `permits`, for a method that was not requested: an error counts as denial. */
  async function permitsMethod(endpoint: Endpoint, request: IncomingRequest): Promise<boolean> {
    try {
      return await permits(endpoint, request)
    } catch (error) {
      if (error instanceof CallTimeout)
        endpoint.owner.onError(error, `${request.method} ${request.route}`, request.requestId)
      return false
    }
  }

  return {
    async dispatch(call) {
      let matched: MatchedRequest | undefined
      let response: RestResponse
      try {
        matched = await match(call)
        response = await run(matched, call)
      } catch (error) {
        response = errorResponse(error, call, matched?.endpoint)
      }
      const fail = (error: unknown) => errorResponse(error, call, matched?.endpoint)
      const startStream = (work: () => Promise<void>) =>
        matched ? code.startStream(matched.endpoint, matched.request, work) : work()
      const onStreamError = (error: Error) => report(error, call, matched?.endpoint)
      if (!matched) return { response, allow: '', identity: null, query: NOTHING, fail, startStream, onStreamError }
      const query = matched.query ?? queryOrEmpty(matched.request.query)
      try {
        if (hooks.hasFilter('rest_post_dispatch')) {
          const filters = filtering(matched.request)
          response = asResponse(await filters.applyFiltersAsync('rest_post_dispatch', response, matched.request))
        }
        if (call.search !== '' && features.shape) response = await features.shape(response, query, matched.request)
      } catch (error) {
        response = fail(error)
      }
      const { identity } = matched.request
      return { response, allow: await allowed(matched), identity, query, fail, startStream, onStreamError }
    },
    async check(call) {
      let matched: MatchedRequest | undefined
      try {
        matched = await match(call)
        await authorizeAndValidate(matched, call)
        return null
      } catch (error) {
        return errorResponse(error, call, matched?.endpoint)
      }
    },
  }
}

function paramsOf(endpoint: Endpoint, captures: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {}
  for (const [index, name] of endpoint.pattern.names.entries()) params[name] = captures[index] ?? ''
  return params
}

/** The parsed query of a request whose input was not read; empty for an invalid one. */
function queryOrEmpty(query: URLSearchParams): DispatchResult['query'] {
  try {
    return parseForm(query)
  } catch {
    return NOTHING
  }
}
