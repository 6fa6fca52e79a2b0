import { hash } from 'node:crypto'
import type { Bodies, Encoding } from './encodings.ts'

type Sizes = { readonly identity: number } & { readonly [Name in Encoding]?: number | undefined }

/** Metadata of a cached page. Memory and disk index share the object, so that hits are counted once. */
export interface PageRecord {
  /** Normalized path and query; unique. */
  readonly key: string
  readonly path: string
  readonly status: number
  /** Response headers without those specific to one response. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly tags: readonly string[]
  /** Number of purges when rendering started; for a page of an earlier process, when it was written to disk. */
  readonly moment: number
  /** Fingerprint of the software that rendered it. */
  readonly software: string
  /** When rendering started, in ms since 1970. */
  readonly renderedAt: number
  /** Maximum lifetime in seconds, in addition to the settings; `null` for no further limit. */
  readonly maxAge: number | null
  /** `Last-Modified`; `null` if the page may have changed within the same second. */
  readonly lastModified: string | null
  readonly optimizations: readonly string[]
  /** Bytes by encoding. */
  sizes: Sizes
  hits: number
}

/** One encoding of a page, ready to be sent. */
export interface Variant {
  readonly body: Buffer
  readonly etag: string
  /** Alternating names and values, as `writeHead` accepts them. */
  readonly headers: readonly string[]
  /** The headers that a 304 must repeat. */
  readonly repeated: readonly string[]
  /** Heads of the last hits as bytes, by status, with the `Cache-Status` that they contain. */
  readonly heads: Map<number, { readonly cacheStatus: string; readonly head: Buffer }>
}

/** A cached page in memory. */
export interface Page {
  readonly record: PageRecord
  readonly bodies: Bodies
  readonly variants: Readonly<Partial<Record<Encoding, Variant>>>
  /** Store version at the last validity check. */
  checked: number
  /** Whether compression and the write to disk are done or queued. */
  isSettled: boolean
  /** Earliest time of the next re-render after a failure, in ms since 1970. */
  retryAt: number
}

export type CacheState = 'HIT' | 'MISS' | 'STALE'

/** `X-Cache` and `Cache-Status` (RFC 9211). */
export function cacheHeaders(state: CacheState, status: string): string[] {
  return ['X-Cache', state, 'Cache-Status', status]
}

/** Headers that a 304 must repeat (RFC 9110, 15.4.5). */
const REPEATED = new Set([
  ...['cache-control', 'etag', 'vary', 'last-modified', 'surrogate-key', 'cache-tag', 'cache-groups'],
  // For caches in front of the site.
  ...['cdn-cache-control', 'cloudflare-cdn-cache-control', 'surrogate-control', 'edge-control', 'x-accel-expires'],
])

function repeatedOf(headers: readonly string[]): string[] {
  return headers.filter((_, at) => REPEATED.has((headers[at - (at % 2)] ?? '').toLowerCase()))
}

/** Memory overhead per page in bytes: objects, maps, header arrays. */
const OVERHEAD = 4_096

/** Digests of bodies, which missing pages share. */
const digests = new WeakMap<Buffer, string>()

function digestOf(body: Buffer): string {
  const digest = digests.get(body) ?? hash('sha256', body, 'base64url').slice(0, 22)
  digests.set(body, digest)
  return digest
}

export function createPage(record: PageRecord, bodies: Bodies): Page {
  const digest = digestOf(bodies.identity)
  const variants: Partial<Record<Encoding, Variant>> = {}
  const sizes: { -readonly [Name in Encoding]?: number } & { identity: number } = { identity: bodies.identity.length }
  for (const encoding of ['identity', 'br', 'zstd', 'gzip'] as const) {
    const body = bodies[encoding]
    if (!body) continue
    const etag = encoding === 'identity' ? `"${digest}"` : `"${digest}-${encoding}"`
    const headers = [
      ...record.headers.flat(),
      ...['Content-Length', String(body.length), 'ETag', etag, 'Vary', 'Accept-Encoding'],
      ...(encoding === 'identity' ? [] : ['Content-Encoding', encoding]),
      ...(record.lastModified === null ? [] : ['Last-Modified', record.lastModified]),
    ]
    variants[encoding] = { body, etag, headers, repeated: repeatedOf(headers), heads: new Map() }
    sizes[encoding] = body.length
  }
  record.sizes = sizes
  return { record, bodies, variants, checked: -1, isSettled: false, retryAt: 0 }
}

/** Memory size of a page, in bytes. */
export function memoryOf({ record, bodies }: Page): number {
  const text = record.key.length + record.headers.join().length + record.tags.join().length
  const bytes = Object.values(bodies).reduce((sum, body) => sum + body.length, 0)
  // Headers exist for each variant, and again in the heads of hits.
  return bytes + text * 10 + OVERHEAD
}

/** Freshness lifetime of a page, in seconds. */
export function lifetimeOf({ maxAge }: PageRecord, ttlSeconds: number): number {
  return maxAge === null ? ttlSeconds : Math.min(maxAge, ttlSeconds)
}
