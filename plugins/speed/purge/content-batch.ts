import type { ExtensionHost, Undo } from 'pentad'
import type { Purge } from '../types.ts'
import { joinReasons } from './merge.ts'

/** Milliseconds for which changes are gathered: saving one post fires several hooks. */
const QUIET = 20
/** Milliseconds after which they are told although more come. */
const LONGEST = 250
/** Addresses that are told one by one; more than that is all pages. */
const MOST_URLS = 1000

/** One change, as it is gathered. */
export interface ContentChange {
  readonly tags: readonly string[]
  /** Absolute URLs of pages that were purged. */
  readonly shown: readonly string[]
  /** Absolute URLs that may show it. */
  readonly mayShow: readonly string[]
  readonly reason: string
}

export interface ContentBatch {
  add(change: ContentChange): void
  /** Something that all pages show has changed. */
  addAll(reason: string): void
  /** Tells now what was gathered. */
  flush(): void
}

/**
 * Gathers changes of content that come close together into one purge.
 *
 * @param tell takes the purge, and the pages that really went
 */
export function createContentBatch(
  host: Pick<ExtensionHost, 'setTimeout'>,
  tell: (purge: Purge, shown: readonly string[]) => void,
): ContentBatch {
  let tags = new Set<string>()
  let shown = new Set<string>()
  let mayShow = new Set<string>()
  let reasons = new Set<string>()
  let isAll = false
  let began = 0
  let stopTimer: Undo | undefined

  function schedule(): void {
    const now = performance.now()
    if (stopTimer) stopTimer()
    else began = now
    stopTimer = host.setTimeout(flush, Math.max(0, Math.min(QUIET, began + LONGEST - now)))
  }

  function flush(): void {
    if (!stopTimer) return
    stopTimer()
    stopTimer = undefined
    const urls = [...new Set([...shown, ...mayShow])]
    const reason = joinReasons(reasons)
    const pages = [...shown]
    const purge: Purge =
      isAll || urls.length > MOST_URLS
        ? { scope: 'pages', urls: [], tags: [], reason }
        : { scope: 'urls', urls, tags: [...tags], reason }
    tags = new Set()
    shown = new Set()
    mayShow = new Set()
    reasons = new Set()
    isAll = false
    tell(purge, pages)
  }

  return {
    add(change) {
      for (const tag of change.tags) tags.add(tag)
      for (const url of change.shown) shown.add(url)
      for (const url of change.mayShow) mayShow.add(url)
      reasons.add(change.reason)
      schedule()
    },
    addAll(reason) {
      isAll = true
      reasons.add(reason)
      schedule()
    },
    flush,
  }
}
