import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ExtensionHost, FrontHandler, ReadyHandler, RenderedResponse, RequestHead } from 'pentad'
import type { SpeedSettings } from '../settings.ts'
import { acceptedEncodings, type Encoding } from './encodings.ts'
import { createHostCheck } from './host-check.ts'
import type { CacheState, Page } from './page.ts'
import type { AddressBypass, PageAddress } from './page-address.ts'
import type { PageStore } from './page-store.ts'
import type { PassedPages } from './passed-pages.ts'
import type { Renderings } from './renderings.ts'
import { hasVariant, sendPage, toReadyResponse } from './send-page.ts'
import { createVisitorRules } from './visitor-rules.ts'

/** Hop-by-hop headers (RFC 9110, 7.6.1). */
const OF_CONNECTION = new Set(['connection', 'keep-alive', 'transfer-encoding'])

/** What happens with a request. `page`: a page in memory. `address`: one to read or render. `bypass`: not a page, or not for visitors. */
type Decision =
  | { readonly page: Page; readonly accepted: readonly Encoding[] }
  | { readonly address: PageAddress; readonly accepted: readonly Encoding[] }
  | { readonly bypass: 'method' | 'not-a-page' }
  | { readonly pass: Exclude<AddressBypass, 'not-a-page'> | Reason }
  | 'misdirected'

type Reason = 'off' | 'host' | 'authorization' | 'cookie' | 'body' | 'encoding' | 'not-cacheable'

/**
 * Serves anonymous visitors from the cache. Requests that it passes on get `X-Cache: BYPASS`, with the reason in
 * `Cache-Status` (RFC 9211).
 */
export function createHandler(
  host: ExtensionHost,
  parts: {
    settings: { get(): SpeedSettings }
    store: PageStore
    renderings: Renderings
    passedPages: PassedPages
    /** Incremented for each request. */
    counts: { hits: number; misses: number }
  },
): { readonly handle: FrontHandler; readonly respond: ReadyHandler | undefined } {
  const { settings, store, renderings, passedPages, counts } = parts
  const { changes } = host
  const matchHost = createHostCheck(host.site.url)
  let current = settings.get()
  let rules = createVisitorRules(current)

  function pass(request: IncomingMessage, response: ServerResponse, why: string): true {
    bypass(response, why)
    passedPages.pass(request, response, why === 'unknown-changes')
    return true
  }

  /** Whether a purge of this process or another one overtook a page; `true` if that is unknown. */
  async function isOvertaken({ record }: Page): Promise<boolean> {
    const isKnown = await store.follow()
    return !isKnown || store.isOutdated(record)
  }

  /** Counts a hit, and refreshes a stale page in the background. */
  function recordHit(page: Page): { readonly state: CacheState; readonly cacheStatus: string } {
    const state = renderings.freshness(page.record) === 'fresh' ? 'HIT' : 'STALE'
    if (state === 'STALE') renderings.refresh(page)
    page.record.hits++
    counts.hits++
    if (!page.isSettled) store.settle(page)
    const detail = state === 'HIT' ? '' : '; detail=stale'
    return { state, cacheStatus: `Pentad; hit; ttl=${renderings.ttl(page.record)}${detail}` }
  }

  /** Serves asynchronously: from disk, from a rendering, or from the application. */
  async function serveLater(
    request: IncomingMessage,
    response: ServerResponse,
    address: PageAddress,
    accepted: readonly Encoding[],
  ): Promise<void> {
    const found = store.inMemory(address.key) ?? (await store.onDisk(address.key))
    if (found && renderings.freshness(found.record) !== 'expired') {
      const page = hasVariant(found, accepted) ? found : await store.compressed(found)
      const isOutdated = await isOvertaken(page)
      if (!response.destroyed) sendPage(request, response, page, { ...recordHit(page), accepted, isOutdated })
      return
    }
    const rendering = await renderings.render(address)
    // The client may have disconnected meanwhile.
    if (response.destroyed) return
    // Passing it on would render again with the same result for anonymous visitors.
    if (rendering.outcome === 'closed') return sendClosed(request, response, rendering.response)
    if (!('page' in rendering)) {
      pass(request, response, rendering.outcome)
      return
    }
    const page = hasVariant(rendering.page, accepted) ? rendering.page : await store.compressed(rendering.page)
    // Another process may have purged it during the compression; until it was stored, the rendering took account of purges.
    const isOutdated = rendering.outcome === 'outdated' || (page !== rendering.page && (await isOvertaken(page)))
    if (response.destroyed) return
    counts.misses++
    const stored = rendering.outcome === 'stored' ? `; stored; ttl=${renderings.ttl(page.record)}` : ''
    const cacheStatus = `Pentad; fwd=${found ? 'stale' : 'uri-miss'}${stored}`
    sendPage(request, response, page, { state: 'MISS', cacheStatus, accepted, isOutdated })
  }

  function decide(request: RequestHead): Decision {
    const { method, url = '', headers } = request
    if (method !== 'GET' && method !== 'HEAD') return { bypass: 'method' }
    const stored = settings.get()
    if (stored !== current) {
      current = stored
      rules = createVisitorRules(stored)
    }
    if (current.pageCache === 'off') return { pass: 'off' }
    const address = rules.address(url)
    if (address === 'not-a-page') return { bypass: address }
    const match = matchHost(headers.host ?? '')
    if (match === 'unknown') return 'misdirected'
    if (match === 'passed') return { pass: 'host' }
    if (typeof address === 'string') return { pass: address }
    const bypassReason = rules.bypassReason(request)
    if (bypassReason) return { pass: bypassReason }
    const accepted = acceptedEncodings(singleHeader(headers['accept-encoding']))
    if (accepted.length === 0) return { pass: 'encoding' }

    const page = store.inMemory(address.key)
    if (page && hasVariant(page, accepted) && renderings.freshness(page.record) !== 'expired') {
      rules.remember(url, address)
      return { page, accepted }
    }
    if (!page && renderings.isUncacheable(address.key)) return { pass: 'not-cacheable' }
    return { address, accepted }
  }

  function answer(request: IncomingMessage, response: ServerResponse): boolean {
    const decision = decide(request)
    if (decision === 'misdirected') return rejectHost(request, response)
    if ('bypass' in decision) return bypass(response, decision.bypass)
    if ('pass' in decision) return pass(request, response, decision.pass)
    const { accepted } = decision
    if ('page' in decision) {
      const { page } = decision
      sendPage(request, response, page, { ...recordHit(page), accepted })
      return true
    }
    serveLater(request, response, decision.address, accepted).catch((error: unknown) => {
      host.log.error({ err: error, page: decision.address.key }, 'page cache request failed')
      if (response.headersSent) response.destroy()
      else host.front.pass(request, response)
    })
    return true
  }

  let isCheckedInTurn = false

  /**
   * `changes.isCurrent`, whose system calls are a noticeable part of a hit, once per turn of the event loop: what the fast lane reads in a turn
   * arrived before the turn began.
   */
  function isCurrent(): boolean {
    if (isCheckedInTurn) return true
    if (!changes.isCurrent()) return false
    isCheckedInTurn = true
    setImmediate(endTurn)
    return true
  }
  function endTurn(): void {
    isCheckedInTurn = false
  }

  /** Requests since which this process has looked at the changes of others. */
  const checked = new WeakSet<RequestHead>()

  /** Responds with a page from memory, before Node parses the request. */
  function respond(request: RequestHead): ReturnType<ReadyHandler> {
    const decision = decide(request)
    if (decision === 'misdirected' || !('page' in decision)) return undefined
    if (!checked.has(request) && !isCurrent()) {
      return { after: changes.catchUp().then((isKnown) => isKnown && checked.add(request)) }
    }
    const { page, accepted } = decision
    return toReadyResponse(request, page, { ...recordHit(page), accepted })
  }

  /** Answers as all processes of the site would that have acknowledged a change. */
  async function answerCurrently(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const isCurrent = await changes.catchUp()
    if (response.destroyed) return
    if (!isCurrent) pass(request, response, 'unknown-changes')
    else if (!answer(request, response)) host.front.pass(request, response)
  }
  function handle(request: IncomingMessage, response: ServerResponse): boolean {
    if (changes.isCurrent()) return answer(request, response)
    answerCurrently(request, response).catch((error: unknown) => {
      host.log.error({ err: error }, 'page cache request failed')
      if (response.headersSent) response.destroy()
      else host.front.pass(request, response)
    })
    return true
  }
  // With several nodes, no page is current without a look at their changes, which takes time.
  return { handle, respond: changes.nodes === 'one' ? respond : undefined }
}

/** Sends a rendered response without storing it. */
function sendClosed(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: RenderedResponse,
): void {
  bypass(response, 'closed')
  for (const [name, value] of Object.entries(headers)) if (!OF_CONNECTION.has(name)) response.setHeader(name, value)
  response.statusCode = status
  response.setHeader('Content-Length', body.length)
  response.end(request.method === 'HEAD' ? undefined : body)
}

function bypass(response: ServerResponse, why: string): false {
  response.setHeader('X-Cache', 'BYPASS')
  response.setHeader('Cache-Status', `Pentad; fwd=${why === 'method' ? why : `bypass; detail=${why}`}`)
  return false
}

/** Rejects an unknown host name, for which a shared cache could store the response (RFC 9110, 15.5.20). */
function rejectHost(request: IncomingMessage, response: ServerResponse): true {
  const message = 'This site is not served at this host name.'
  const body = JSON.stringify({ code: 'misdirected_request', message, data: { status: 421 } })
  response.writeHead(421, {
    'Content-Type': 'application/json; charset=UTF-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Cache': 'BYPASS',
  })
  response.end(request.method === 'HEAD' ? undefined : body)
  return true
}

function singleHeader(value: string | string[] | undefined): string | undefined {
  return typeof value === 'object' ? value.join(', ') : value
}
