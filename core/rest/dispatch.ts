import { Readable } from 'node:stream'
import type { Auth, Identity } from '../auth/types.ts'
import { RestError, toError, withOrigin, withStackOf } from '../errors.ts'
import type { Hooks } from '../hooks/types.ts'
import { CallTimeout } from '../http/time-limit.ts'
import type { Logger } from '../log.ts'
import type { Arrival } from './arrival.ts'
import { explainDenial } from './denial.ts'
import { embedLinks, parseEmbed } from './embed.ts'
import { keepFields, parseFields } from './fields.ts'
import { parseForm } from './form.ts'
import type { OwnedCode } from './owned-code.ts'
import { forbidden, internalError, noRoute, timedOut, toResponse, unloaded } from './refusals.ts'
import { type Endpoint, METHODS, type PathEntry, type Registry } from './registry.ts'
import { asResponse, findUnsendable, isRaw, jsonBody, RestResponse } from './response.ts'
import type { Access, IncomingRequest, InternalAnswer, InternalRequest, RestRequest } from './types.ts'
import type { ReceivedUpload } from './upload.ts'

const JSON_LIMIT = 1024 * 1024
const PUBLIC_LIMIT = 64 * 1024

const NOTHING: Readonly<Record<string, unknown>> = Object.freeze({})

/** An answer before it is sent. */
export interface Answer {
  readonly response: RestResponse
  /** Methods of the path that the caller may use: the `Allow` header; empty if there are none. */
  readonly allow: string
  /** `null` if it was not found out. */
  readonly identity: Identity | null
  readonly query: Readonly<Record<string, unknown>>
  /** For an answer that cannot be sent although it looked as if: tells whose it is, and answers what is sent in its place. */
  refuse(error: unknown): RestResponse
  /** For a stream that failed while it was sent: tells whose it is. */
  onStreamError(error: Error): void
}

/** A request whose route and caller are known. */
interface Opened {
  readonly entry: PathEntry
  readonly endpoint: Endpoint
  readonly captures: readonly string[]
  readonly request: IncomingRequest
  /** Whether the caller may use the endpoint; `null` as long as nobody asked. */
  permitted: boolean | null
  /** As PHP reads it; `null` as long as nobody did. */
  query: Answer['query'] | null
  /** The file of a route with `upload`, once it was read. */
  received: ReceivedUpload | null
}

export interface Dispatcher {
  /** Answers a request, in the order of contract 1. Never throws. */
  answer(arrival: Arrival): Promise<Answer>
  /** Goes as far as the check of the input; the refusal, or `null` if the request would be run. */
  check(arrival: Arrival): Promise<RestResponse | null>
}

/** Decides what was asked of whom: route, caller, permission, input, handler, filters. */
export function createDispatcher(parts: {
  registry: Registry
  hooks: Hooks
  auth: Auth
  log: Logger
  code: OwnedCode
  /** URL of the REST root, without a slash at the end. */
  root: string
  describe: (entry: PathEntry) => unknown
  dispatchInside: (request: InternalRequest) => Promise<InternalAnswer>
}): Dispatcher {
  const { registry, hooks, auth, log, code } = parts

  const identify = (arrival: Arrival, { route: { body, upload } }: Endpoint): Promise<Identity> =>
    arrival.identify({ readsBody: body !== 'stream' && !upload && arrival.method !== 'GET' })

  /** Route and caller; everything that follows needs both. */
  async function open(arrival: Arrival): Promise<Opened> {
    const method = arrival.method === 'OPTIONS' ? null : arrival.method
    const found = arrival.segments && registry.find(method, arrival.segments)
    if (!found) throw noRoute()
    const { entry, captures } = found
    const endpoint = (method && entry.byMethod.get(method)) ?? entry.endpoints[0]
    if (!endpoint) throw noRoute()
    const request = incoming(arrival, endpoint, captures, await identify(arrival, endpoint))
    return { entry, endpoint, captures, request, permitted: null, query: null, received: null }
  }

  function incoming(
    arrival: Arrival,
    endpoint: Endpoint,
    captures: readonly string[],
    identity: Identity,
  ): IncomingRequest {
    return {
      user: identity.user,
      identity,
      method: arrival.method === 'OPTIONS' ? (endpoint.methods[0] ?? 'GET') : arrival.method,
      route: `/${arrival.segments?.join('/') ?? ''}`,
      params: named(endpoint, captures),
      query: new URLSearchParams(arrival.search),
      headers: arrival.headers,
      stream: arrival.stream,
      clientAddress: arrival.clientAddress,
      requestId: arrival.requestId,
      signal: arrival.signal,
      can: (capability, ...ids) => auth.can(identity.user, capability, ...ids),
    }
  }

  function permits(endpoint: Endpoint, request: IncomingRequest): boolean | Promise<boolean> {
    const { access } = endpoint.route
    if (access === 'public') return true
    if (typeof access === 'string') return auth.can(request.user, access)
    return code.check(endpoint, request, 'permission check', async () => access(request))
  }

  /** May they, and is the input valid? */
  async function admit(opened: Opened, arrival: Arrival): Promise<Pick<RestRequest, 'input' | 'sent' | 'upload'>> {
    const { endpoint, request } = opened
    const { access, bodyLimit, body, upload: rule } = endpoint.route
    opened.permitted = false
    if (access !== 'public') await checkAccess(endpoint, request, arrival)
    opened.permitted = true
    opened.query = arrival.search === '' ? NOTHING : parseForm(request.query)
    const own = typeof bodyLimit === 'function' ? bodyLimit(request) : bodyLimit
    const limit = own ?? (access === 'public' ? PUBLIC_LIMIT : JSON_LIMIT)
    const received = rule && (await arrival.readUpload(rule, own))
    opened.received = received ?? null
    const isUnread = body === 'stream' || arrival.method === 'GET'
    const fromBody = received?.body ?? (isUnread ? NOTHING : await arrival.readBody(limit))
    const parsed = endpoint.parameters.parse(request.params, fromBody, opened.query)
    const { input, sent } =
      parsed instanceof Promise ? await code.check(endpoint, request, 'input schema', () => parsed) : parsed
    return { input, sent, upload: received?.upload ?? null }
  }

  /** @throws RestError what `access` or, by what was asked for, `explainDenial` answers those who are not let in */
  async function checkAccess(endpoint: Endpoint, request: IncomingRequest, arrival: Arrival): Promise<void> {
    let denial: unknown = forbidden(request.user)
    try {
      if (await permits(endpoint, request)) return
    } catch (error) {
      denial = error
    }
    if (denial instanceof RestError) await explainDenial({ endpoint, request, arrival }, code)
    throw denial
  }

  async function run(opened: Opened, arrival: Arrival): Promise<RestResponse> {
    const { request, endpoint, entry } = opened
    if (hooks.hasFilter('rest_pre_dispatch')) {
      const result = await filtering(request).applyFiltersAsync('rest_pre_dispatch', null, request)
      if (result !== null) return asResponse(result)
    }
    if (arrival.method === 'OPTIONS') return new RestResponse(parts.describe(entry))
    try {
      const admitted = await admit(opened, arrival)
      const answer = await code.handle(endpoint, request, async (signal) =>
        endpoint.route.handler({
          ...request,
          ...admitted,
          get signal() {
            return signal()
          },
        }),
      )
      const response = asResponse(answer)
      if (response.body instanceof Readable)
        endpoint.owner.onStream?.(response.body, `${request.method} ${request.route}`)
      if (code.isForeign(endpoint) || hooks.hasFilter('rest_post_dispatch')) refuseUnsendable(response, endpoint)
      return response
    } finally {
      if (opened.received) await opened.received.remove()
    }
  }

  /** Here, where it is known whose it is. @throws TypeError whose stack is where the route was registered */
  function refuseUnsendable(response: RestResponse, { pattern, added }: Endpoint): void {
    const fault = findUnsendable(response)
    if (fault === undefined) return
    jsonBody(response)
    throw withStackOf(new TypeError(`The handler of ${pattern.template} answered ${fault}.`), added)
  }

  /** Filters of a request end when its client leaves. */
  function filtering(request: IncomingRequest): Pick<Hooks, 'applyFiltersAsync'> {
    return hooks.limited({ signal: request.signal })
  }

  /** The error as an answer; a bug is told to the route's owner and to the log, never to the client. */
  function refusal(thrown: unknown, arrival: Arrival, endpoint: Endpoint | undefined): RestResponse {
    // Anything may be thrown, also what throws when it is looked at.
    const error = toError(thrown, endpoint?.added)
    if (error instanceof RestError) return toResponse(error)
    const { signal } = endpoint?.owner ?? {}
    if (signal?.aborted && thrown === signal.reason) return toResponse(unloaded())
    const route = `${arrival.method} /${arrival.segments?.join('/') ?? ''}`
    if (error instanceof CallTimeout) {
      endpoint?.owner.onError(error, route, arrival.requestId)
      return toResponse(timedOut(arrival.requestId))
    }
    if (arrival.signal.aborted) log.debug({ err: error, requestId: arrival.requestId, route }, 'client disconnected')
    else report(error, arrival, endpoint)
    return toResponse(internalError(arrival.requestId))
  }

  function report(error: Error, { method, segments, requestId }: Arrival, endpoint: Endpoint | undefined): void {
    const route = `${method} /${segments?.join('/') ?? ''}`
    if (endpoint) endpoint.owner.onError(withOrigin(error, endpoint.added), route, requestId)
    else log.error({ err: error, requestId, route }, 'a REST request failed')
  }

  /** WordPress's `rest_send_allow_header`: the methods of this path that this caller may use. */
  async function allowed({ entry, endpoint: asked, captures, request, permitted }: Opened): Promise<string> {
    if (permitted !== null && entry.endpoints.length === 1) return permitted ? asked.allow : ''
    const methods = new Set<string>()
    const decided = new Map<Access, boolean>()
    if (permitted !== null) decided.set(asked.route.access, permitted)
    for (const endpoint of entry.endpoints) {
      if (!registry.exists(endpoint)) continue
      const { access } = endpoint.route
      let may = typeof access === 'string' || endpoint === asked ? decided.get(access) : undefined
      if (may === undefined) {
        const other = { ...request, method: endpoint.methods[0] ?? request.method, params: named(endpoint, captures) }
        may = await mayToo(endpoint, other)
        decided.set(access, may)
      }
      if (may) for (const method of endpoint.methods) methods.add(method)
    }
    return METHODS.filter((method) => methods.has(method)).join(', ')
  }

  /** As `permits`, of a method that was not asked for: what goes wrong there hides the method. */
  async function mayToo(endpoint: Endpoint, request: IncomingRequest): Promise<boolean> {
    try {
      return await permits(endpoint, request)
    } catch (error) {
      if (error instanceof CallTimeout)
        endpoint.owner.onError(error, `${request.method} ${request.route}`, request.requestId)
      return false
    }
  }

  /** `_embed` and `_fields`, for answers that are JSON and no refusal. */
  async function shape(response: RestResponse, query: Answer['query'], opened: Opened): Promise<RestResponse> {
    if (response.status >= 400 || isRaw(response)) return response
    let body = response.body
    const fields = parseFields(query._fields)
    const embed = parseEmbed(query._embed)
    const showsLinks = fields === null || fields.has('_links') || fields.has('_embedded')
    if (embed !== null && showsLinks) {
      const { identity, clientAddress, signal } = opened.request
      body = await embedLinks(body, embed, parts.root, async (route) => {
        return jsonBody(await parts.dispatchInside({ method: 'GET', route, identity, clientAddress, signal }))
      })
      if (fields?.has('_links')) fields.set('_embedded', fields.get('_embedded') ?? true)
    }
    if (fields !== null) body = keepFields(body, fields)
    return body === response.body ? response : response.with(body)
  }

  return {
    async answer(arrival) {
      let opened: Opened | undefined
      let response: RestResponse
      try {
        opened = await open(arrival)
        response = await run(opened, arrival)
      } catch (error) {
        response = refusal(error, arrival, opened?.endpoint)
      }
      const refuse = (error: unknown) => refusal(error, arrival, opened?.endpoint)
      const onStreamError = (error: Error) => report(error, arrival, opened?.endpoint)
      if (!opened) return { response, allow: '', identity: null, query: NOTHING, refuse, onStreamError }
      const query = opened.query ?? readable(opened.request.query)
      try {
        if (hooks.hasFilter('rest_post_dispatch')) {
          const filters = filtering(opened.request)
          response = asResponse(await filters.applyFiltersAsync('rest_post_dispatch', response, opened.request))
        }
        if (arrival.search !== '') response = await shape(response, query, opened)
      } catch (error) {
        response = refuse(error)
      }
      const { identity } = opened.request
      return { response, allow: await allowed(opened), identity, query, refuse, onStreamError }
    },
    async check(arrival) {
      let opened: Opened | undefined
      try {
        opened = await open(arrival)
        await admit(opened, arrival)
        return null
      } catch (error) {
        return refusal(error, arrival, opened?.endpoint)
      }
    },
  }
}

function named(endpoint: Endpoint, captures: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {}
  for (const [index, name] of endpoint.pattern.names.entries()) params[name] = captures[index] ?? ''
  return params
}

/** The query of a request whose input nobody looked at; one that is refused holds nothing. */
function readable(query: URLSearchParams): Answer['query'] {
  try {
    return parseForm(query)
  } catch {
    return NOTHING
  }
}
