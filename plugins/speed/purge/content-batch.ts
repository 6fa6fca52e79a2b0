import type { ExtensionHost, Undo } from 'pentad'
import type { Purge } from '../types.ts'
import { joinReasons } from './merge.ts'

/** Debounce time in ms: saving one post fires several hooks. */
const QUIET = 20
/** Maximum delay in ms, even if more changes arrive. */
const LONGEST = 250
/** Maximum number of individual URLs; beyond it the purge covers all pages. */
const MOST_URLS = 1000

/** A change of content. */
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
  /** Something changed that affects all pages. */
  addAll(reason: string): void
  /** Emits the collected changes now. */
  flush(): void
}

/**
 * Batches content changes into one purge.
 *
 * @param emit receives the purge and the pages that were purged
 */
export function createContentBatch(
  host: Pick<ExtensionHost, 'setTimeout'>,
  emit: (purge: Purge, shown: readonly string[]) => void,
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
    emit(purge, pages)
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
