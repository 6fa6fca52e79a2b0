import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ExtensionHost, FrontHandler, RenderedAnswer } from 'pentad'
import type { SpeedSettings } from '../settings.ts'
import { answerPage, hasVariant } from './answer.ts'
import { acceptedEncodings, type Encoding } from './encodings.ts'
import type { KeptPages } from './kept-pages.ts'
import type { Page } from './page.ts'
import type { PageAddress } from './page-address.ts'
import type { Renderings } from './renderings.ts'
import { createHostCheck } from './site-host.ts'
import { createVisitorRules } from './visitor-rules.ts'

/** Headers that belong to one connection, not to the answer (RFC 9110, 7.6.1). */
const OF_CONNECTION = new Set(['connection', 'keep-alive', 'transfer-encoding'])

/**
 * Answers visitors about whom nothing matters but the address they ask for. What it passes on says so by
 * `X-Cache: BYPASS`, and why by `Cache-Status` (RFC 9211).
 */
export function createHandler(
  host: ExtensionHost,
  parts: {
    settings: { get(): SpeedSettings }
    kept: KeptPages
    renderings: Renderings
    /** Counted up with each visitor. */
    counts: { hits: number; misses: number }
  },
): FrontHandler {
  const { settings, kept, renderings, counts } = parts
  const standingOf = createHostCheck(host.site.url)
  let current = settings.get()
  let rules = createVisitorRules(current)

  function answer(request: IncomingMessage, response: ServerResponse, page: Page, accepted: readonly Encoding[]): void {
    const state = renderings.freshness(page.record) === 'fresh' ? 'HIT' : 'STALE'
    if (state === 'STALE') renderings.refresh(page)
    page.record.hits++
    counts.hits++
    if (!page.isSettled) kept.settle(page)
    answerPage(request, response, page, { state, accepted })
  }

  /** Answers that come later: from the disk, of a rendering, or of the application if neither will do. */
  async function answerLater(
    request: IncomingMessage,
    response: ServerResponse,
    address: PageAddress,
    accepted: readonly Encoding[],
  ): Promise<void> {
    const found = kept.inMemory(address.key) ?? (await kept.onDisk(address.key))
    if (found && renderings.freshness(found.record) !== 'expired') {
      const page = hasVariant(found, accepted) ? found : await kept.compressed(found)
      if (!response.destroyed) answer(request, response, page, accepted)
      return
    }
    const rendering = await renderings.render(address)
    // Those who left in the meantime are not waited for.
    if (response.destroyed) return
    // To ask once more would take as long again: nobody without a session gets another answer.
    if (rendering.outcome === 'closed') return answerClosed(request, response, rendering.answer)
    if (!('page' in rendering)) {
      bypass(response, rendering.outcome)
      host.front.pass(request, response)
      return
    }
    const page = hasVariant(rendering.page, accepted) ? rendering.page : await kept.compressed(rendering.page)
    if (response.destroyed) return
    counts.misses++
    answerPage(request, response, page, { state: 'MISS', accepted })
  }

  return (request, response) => {
    const { method, url = '', headers } = request
    if (method !== 'GET' && method !== 'HEAD') return bypass(response, 'method')
    const stored = settings.get()
    if (stored !== current) {
      current = stored
      rules = createVisitorRules(stored)
    }
    if (current.pageCache === 'off') return bypass(response, 'off')
    const address = rules.address(url)
    if (address === 'not-a-page') return bypass(response, address)
    const standing = standingOf(headers.host ?? '')
    if (standing === 'unknown') return refuseHost(request, response)
    if (standing === 'passed') return bypass(response, 'host')
    if (typeof address === 'string') return bypass(response, address)
    const refusal = rules.refusal(request)
    if (refusal) return bypass(response, refusal)
    const accepted = acceptedEncodings(singleHeader(headers['accept-encoding']))
    if (accepted.length === 0) return bypass(response, 'encoding')

    const page = kept.inMemory(address.key)
    if (page && hasVariant(page, accepted) && renderings.freshness(page.record) !== 'expired') {
      rules.remember(url, address)
      answer(request, response, page, accepted)
      return true
    }
    if (!page && renderings.isNotKept(address.key)) return bypass(response, 'not-storable')
    answerLater(request, response, address, accepted).catch((error: unknown) => {
      host.log.error({ err: error, page: address.key }, 'the page cache failed')
      if (response.headersSent) response.destroy()
      else host.front.pass(request, response)
    })
    return true
  }
}

/** Sends what came of a rendering, and is stored nowhere. */
function answerClosed(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: RenderedAnswer,
): void {
  bypass(response, 'closed')
  for (const [name, value] of Object.entries(headers)) if (!OF_CONNECTION.has(name)) response.setHeader(name, value)
  response.statusCode = status
  response.setHeader('Content-Length', body.length)
  response.end(request.method === 'HEAD' ? undefined : body)
}

function bypass(response: ServerResponse, why: string): false {
  response.setHeader('X-Cache', 'BYPASS')
  response.setHeader('Cache-Status', `Pentad; fwd=bypass; detail=${why}`)
  return false
}

/** The site is not at that name: what it would answer could be kept for another's visitors (RFC 9110, 15.5.20). */
function refuseHost(request: IncomingMessage, response: ServerResponse): true {
  const message = 'This site is not at that address.'
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
