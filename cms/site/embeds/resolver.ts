import { hash } from 'node:crypto'
import type { Hooks } from '../../../core/hooks/types.ts'
import type { Logger } from '../../../core/log.ts'
import type { Jobs } from '../../jobs/types.ts'
import { createLogLimit } from '../../log-limit.ts'
import { type OembedClient, ProviderUnavailable } from './oembed-client.ts'
import { askedUrl, type Providers } from './providers.ts'
import type { RequestLimit } from './request-limit.ts'
import { toHtml } from './response-html.ts'
import type { EmbedTableAccess } from './table.ts'
import type { Embed, EmbedSize } from './types.ts'

const DAY = 24 * 3600
/** Time before a failed URL is requested again, in seconds. */
const FAILURE_TTL = 3600
/** Maximum queue length; further URLs are requested when their page is rendered again. */
const MOST_WAITING = 200
/** Consecutive failures after which a provider is paused, and the duration of the pause in ms. */
const MOST_FAILURES = 3
const REST_OF_PROVIDER = 10 * 60_000

export interface Wanted extends EmbedSize {
  readonly url: string
}

/** Resolves URLs to embeds from a cache that is filled in the background. */
export interface Resolver {
  /** Whether there is a provider for the URL. */
  has(url: string): boolean
  keyOf(wanted: Wanted): string
  /** Cached embeds by key. Does not wait: missing and expired ones are requested in the background. */
  find(wanted: readonly Wanted[]): Promise<ReadonlyMap<string, Embed>>
  /**
   * From the cache, or from the provider, waiting for it. `undefined` if there is no provider or it is paused. @throws
   * RestError (503) if the queue is full
   */
  resolve(wanted: Wanted): Promise<Embed | undefined>
}

/**
 * For pages, a URL is requested once a day, and after a failure once an hour; for authors (`resolve`), a failed URL is
 * requested again at once. There is one request per URL at a time, and a provider that fails repeatedly is paused for ten
 * minutes. Neither visitors nor providers can increase the number of requests.
 */
export function createResolver(parts: {
  hooks: Hooks
  jobs: Jobs
  log: Logger
  providers: Providers
  client: OembedClient
  table: EmbedTableAccess
  limit: RequestLimit
}): Resolver {
  const { hooks, jobs, log, providers, client, table, limit } = parts
  const inFlight = new Map<string, Promise<Embed | undefined>>()
  const failing = new Map<string, { failures: number; until: number }>()
  const limitLog = createLogLimit()
  const keyOf = ({ url, width, height }: Wanted) =>
    hash('sha256', JSON.stringify([url, width, height]), 'hex').slice(0, 32)

  const waiting = new Set<string>()
  const { queue } = jobs.createQueue<Wanted>({
    name: 'embeds',
    limit: MOST_WAITING,
    retries: 0,
    // Two requests if the provider does not support JSON.
    timeout: 15_000,
    async work(wanted) {
      try {
        await ask(wanted, (request) => request())
      } finally {
        waiting.delete(keyOf(wanted))
      }
    },
  })

  const endpointOf = (url: string) => providers.find(askedUrl(url))

  function isLeftAlone(endpoint: string): boolean {
    const { until } = failing.get(endpoint) ?? { until: 0 }
    return Date.now() < until
  }

  function noteFailure(endpoint: string): void {
    const failures = (failing.get(endpoint)?.failures ?? 0) + 1
    failing.set(endpoint, { failures, until: failures >= MOST_FAILURES ? Date.now() + REST_OF_PROVIDER : 0 })
  }

  /** Queues a request in the background, unless it is queued or the queue is full. */
  function refresh(wanted: Wanted): void {
    const key = keyOf(wanted)
    const endpoint = endpointOf(wanted.url)
    if (endpoint === undefined || isLeftAlone(endpoint)) return
    if (waiting.has(key) || waiting.size >= MOST_WAITING) return
    waiting.add(key)
    queue.push(wanted)
  }

  /** Merges concurrent requests for a URL. `undefined` if the provider is paused. */
  function ask(wanted: Wanted, inOrder: RequestLimit): Promise<Embed | undefined> {
    const key = keyOf(wanted)
    const known = inFlight.get(key)
    if (known) return known
    const asked = inOrder(async () => {
      const endpoint = endpointOf(wanted.url)
      // The provider may have been paused while this request was queued.
      return endpoint === undefined || isLeftAlone(endpoint) ? undefined : askNow(key, wanted)
    }).finally(() => inFlight.delete(key))
    inFlight.set(key, asked)
    return asked
  }

  async function askNow(key: string, wanted: Wanted): Promise<Embed> {
    const before = (await table.get([key])).get(key)
    const found = await resolve(wanted)
    // The expired response is kept until the provider responds.
    const { answer, html } = found.html === null && before?.html ? before : found
    const seconds = found.html === null ? FAILURE_TTL : hooks.applyFilters('oembed_ttl', DAY, wanted.url, wanted)
    const embed: Embed = { key, url: wanted.url, answer, html, expires: Date.now() + Math.max(seconds, 60) * 1000 }
    await table.put(embed)
    if (shownOf(before) !== shownOf(embed)) hooks.doAction('oembed_cache_updated', tagOf(key), wanted.url)
    return embed
  }

  async function resolve(wanted: Wanted): Promise<Pick<Embed, 'answer' | 'html'>> {
    const { url } = wanted
    const size: EmbedSize = { width: wanted.width, height: wanted.height }
    const early = await hooks.applyFiltersAsync('pre_oembed_result', null, url, size)
    if (early !== null) return { answer: null, html: early }
    const endpoint = endpointOf(url)
    const response = endpoint === undefined ? undefined : await fetchFrom(endpoint, wanted)
    if (!response) return { answer: null, html: null }
    const html = await hooks.applyFiltersAsync('oembed_dataparse', toHtml(response, url), response, url)
    return { answer: response, html: await hooks.applyFiltersAsync('oembed_result', html, url, size) }
  }

  async function fetchFrom(endpoint: string, wanted: Wanted) {
    try {
      const response = await client.fetch(endpoint, { ...wanted, url: askedUrl(wanted.url) })
      failing.delete(endpoint)
      return response
    } catch (error) {
      if (!(error instanceof ProviderUnavailable)) throw error
      if (error.forAllUrls) noteFailure(endpoint)
      // Without the query string, which may contain a token.
      const [provider = endpoint] = endpoint.split('?')
      const fields = limitLog(provider)
      if (fields) log.warn({ err: error, provider, ...fields }, 'oEmbed request failed')
      return undefined
    }
  }

  return {
    has: (url) => endpointOf(url) !== undefined,
    keyOf,
    async find(wanted) {
      const found = await table.get(wanted.map(keyOf))
      for (const one of wanted) {
        const known = found.get(keyOf(one))
        if (!known || known.expires < Date.now()) refresh(one)
      }
      return found
    },
    async resolve(wanted) {
      const key = keyOf(wanted)
      const known = (await table.get([key])).get(key)
      // An author may request a failed URL again at once; a provider that is down is paused.
      const isUsable = Boolean(known?.answer ?? known?.html)
      if (known && isUsable && known.expires >= Date.now()) return known
      const endpoint = endpointOf(wanted.url)
      if (endpoint === undefined || isLeftAlone(endpoint)) return known
      return (await ask(wanted, limit)) ?? known
    },
  }
}

/** All parts that a page shows. */
function shownOf(embed: Embed | undefined): string {
  return JSON.stringify([embed?.html ?? null, embed?.answer ?? null])
}

/** Cache tag of pages with an embed; short, because a page may have a hundred in a header. */
export function tagOf(key: string): string {
  return `embed-${key.slice(0, 16)}`
}
