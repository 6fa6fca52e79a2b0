import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ExtensionHost, FrontHandler, RenderedResponse } from 'pentad'
import type { SpeedSettings } from '../settings.ts'
import { acceptedEncodings, type Encoding } from './encodings.ts'
import { createHostCheck } from './host-check.ts'
import type { Page } from './page.ts'
import type { PageAddress } from './page-address.ts'
import type { PageStore } from './page-store.ts'
import type { PassedPages } from './passed-pages.ts'
import type { Renderings } from './renderings.ts'
import { hasVariant, sendPage } from './send-page.ts'
import { createVisitorRules } from './visitor-rules.ts'

/** Hop-by-hop headers (RFC 9110, 7.6.1). */
const OF_CONNECTION = new Set(['connection', 'keep-alive', 'transfer-encoding'])

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
): FrontHandler {
  const { settings, store, renderings, passedPages, counts } = parts
  const { catchUp } = host.changes
  const matchHost = createHostCheck(host.site.url)
  let current = settings.get()
  let rules = createVisitorRules(current)

  function pass(request: IncomingMessage, response: ServerResponse, why: string): true {
    bypass(response, why)
    passedPages.pass(request, response, why === 'unknown-changes')
    return true
  }

  /** Whether a purge of this node or another one overtook a page; `true` if that is unknown. */
  async function isOvertaken({ record }: Page): Promise<boolean> {
    const isKnown = catchUp === undefined || (await catchUp())
    return !isKnown || store.isOutdated(record)
  }

  function serve(
    request: IncomingMessage,
    response: ServerResponse,
    page: Page,
    { accepted, isOutdated = false }: { accepted: readonly Encoding[]; isOutdated?: boolean },
  ): void {
    const state = renderings.freshness(page.record) === 'fresh' ? 'HIT' : 'STALE'
    if (state === 'STALE') renderings.refresh(page)
    page.record.hits++
    counts.hits++
    if (!page.isSettled) store.settle(page)
    const detail = state === 'HIT' ? '' : '; detail=stale'
    const cacheStatus = `Pentad; hit; ttl=${renderings.ttl(page.record)}${detail}`
    sendPage(request, response, page, { state, cacheStatus, accepted, isOutdated })
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
      if (!response.destroyed) serve(request, response, page, { accepted, isOutdated })
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
    const isOutdated = await isOvertaken(page)
    if (response.destroyed) return
    counts.misses++
    const stored = rendering.outcome === 'stored' ? `; stored; ttl=${renderings.ttl(page.record)}` : ''
    const cacheStatus = `Pentad; fwd=${found ? 'stale' : 'uri-miss'}${stored}`
    sendPage(request, response, page, { state: 'MISS', cacheStatus, accepted, isOutdated })
  }

  function answer(request: IncomingMessage, response: ServerResponse): boolean {
    const { method, url = '', headers } = request
    if (method !== 'GET' && method !== 'HEAD') return bypass(response, 'method')
    const stored = settings.get()
    if (stored !== current) {
      current = stored
      rules = createVisitorRules(stored)
    }
    if (current.pageCache === 'off') return pass(request, response, 'off')
    const address = rules.address(url)
    if (address === 'not-a-page') return bypass(response, address)
    const match = matchHost(headers.host ?? '')
    if (match === 'unknown') return rejectHost(request, response)
    if (match === 'passed') return pass(request, response, 'host')
    if (typeof address === 'string') return pass(request, response, address)
    const bypassReason = rules.bypassReason(request)
    if (bypassReason) return pass(request, response, bypassReason)
    const accepted = acceptedEncodings(singleHeader(headers['accept-encoding']))
    if (accepted.length === 0) return pass(request, response, 'encoding')

    const page = store.inMemory(address.key)
    if (page && hasVariant(page, accepted) && renderings.freshness(page.record) !== 'expired') {
      rules.remember(url, address)
      serve(request, response, page, { accepted })
      return true
    }
    if (!page && renderings.isUncacheable(address.key)) return pass(request, response, 'not-cacheable')
    serveLater(request, response, address, accepted).catch((error: unknown) => {
      host.log.error({ err: error, page: address.key }, 'page cache request failed')
      if (response.headersSent) response.destroy()
      else host.front.pass(request, response)
    })
    return true
  }

  if (!catchUp) return answer

  /** Answers as all nodes would that have acknowledged a change. */
  async function answerCurrently(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const isCurrent = await catchUp?.()
    if (response.destroyed) return
    if (!isCurrent) pass(request, response, 'unknown-changes')
    else if (!answer(request, response)) host.front.pass(request, response)
  }
  return (request, response) => {
    answerCurrently(request, response).catch((error: unknown) => {
      host.log.error({ err: error }, 'page cache request failed')
      if (response.headersSent) response.destroy()
      else host.front.pass(request, response)
    })
    return true
  }
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
