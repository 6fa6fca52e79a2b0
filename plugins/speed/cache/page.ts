import { hash } from 'node:crypto'
import type { Bodies, Encoding } from './encodings.ts'
import type { Moment } from './purge-log.ts'

type Sizes = { readonly identity: number } & { readonly [Name in Encoding]?: number | undefined }

/** What is known of a kept page without its body; the same object in memory and on disk, so that its hits are one number. */
export interface PageRecord {
  /** Path and query; unique. */
  readonly key: string
  readonly path: string
  readonly status: number
  /** Of the rendering, without what belongs to one answer only. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly tags: readonly string[]
  /** When rendering began, in the order of purges. */
  readonly moment: Moment
  /** What rendered it: the host, the extensions, the theme, the settings. */
  readonly software: string
  /** When rendering began, in milliseconds since 1970. */
  readonly renderedAt: number
  /** For how many seconds at most, whatever the settings say; `null` for as long as these do. */
  readonly maxAge: number | null
  /** `Last-Modified`; `null` where seconds are too coarse to tell the page from the one before. */
  readonly lastModified: string | null
  readonly optimizations: readonly string[]
  /** Bytes by encoding. */
  sizes: Sizes
  hits: number
}

/** One encoding of a page, ready to be sent. */
interface Variant {
  readonly body: Buffer
  readonly etag: string
  /** Names and values in turn, as `writeHead` takes them. */
  readonly headers: readonly string[]
  readonly hit: string[]
}

/** A kept page in memory. */
export interface Page {
  readonly record: PageRecord
  readonly bodies: Bodies
  readonly variants: Readonly<Partial<Record<Encoding, Variant>>>
  /** Version of the purge log when it was last found to be current. */
  checked: number
  /** Whether it is compressed and on its way to the disk. */
  isSettled: boolean
  /** Before this moment it is not rendered anew, because that has just failed. Milliseconds since 1970. */
  retryAt: number
}

export type CacheState = 'HIT' | 'MISS' | 'STALE'

/** What tells where an answer comes from, to people and by RFC 9211. */
export function cacheHeaders(state: CacheState): string[] {
  return ['X-Cache', state, 'Cache-Status', CACHE_STATUS[state]]
}

const CACHE_STATUS = {
  HIT: 'Pentad; hit',
  MISS: 'Pentad; fwd=uri-miss',
  STALE: 'Pentad; hit; detail=stale',
}

/** Bytes that an entry costs beside its bodies and strings: objects, maps, header arrays. */
const OVERHEAD = 4_096

export function createPage(record: PageRecord, bodies: Bodies): Page {
  const digest = hash('sha256', bodies.identity, 'base64url').slice(0, 22)
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
    variants[encoding] = { body, etag, headers, hit: [...headers, ...cacheHeaders('HIT')] }
    sizes[encoding] = body.length
  }
  record.sizes = sizes
  return { record, bodies, variants, checked: -1, isSettled: false, retryAt: 0 }
}

/** Bytes of memory that a page takes. */
export function memoryOf({ record, bodies }: Page): number {
  const text = record.key.length + record.headers.join().length + record.tags.join().length
  const bytes = Object.values(bodies).reduce((sum, body) => sum + body.length, 0)
  // The headers stand once for each variant and twice for those of hits.
  return bytes + text * 10 + OVERHEAD
}

/** Seconds for which a page is fresh. */
export function lifetimeOf({ maxAge }: PageRecord, ttlSeconds: number): number {
  return maxAge === null ? ttlSeconds : Math.min(maxAge, ttlSeconds)
}
