import { isHandlingRequest, outsideRequests, requestId } from '../../core/http/request-context.ts'
import { joinReasons } from './merge.ts'
import type { Purge } from './types.ts'

/** Debounce time in ms: saving one post fires several hooks. */
const QUIET = 20
/** Maximum delay in ms, even if more changes arrive. */
const LONGEST = 250

/** Batches changes into one purge. */
export interface Batch {
  add(change: {
    readonly tags: readonly string[]
    readonly urls: readonly string[]
    readonly reason: string
    readonly soft: boolean
  }): void
  /** Something changed that affects all pages. */
  addAll(reason: string): void
  /** Emits the collected changes now. */
  flush(): void
  /** Resolves when the changes collected so far were emitted. */
  emitted(): Promise<void>
  /** Whether there are collected changes. */
  readonly isPending: boolean
}

/** @param emit receives the purge */
export function createBatch(emit: (purge: Purge) => void): Batch {
  let tags = new Set<string>()
  let urls = new Set<string>()
  let reasons = new Set<string>()
  let isAll = false
  let isSoft = true
  let began = 0
  /** The request of the last change. */
  let cause: string | undefined
  let timer: NodeJS.Timeout | undefined
  let waiting: PromiseWithResolvers<void> | undefined

  function schedule(): void {
    const now = performance.now()
    if (timer) clearTimeout(timer)
    else began = now
    cause = requestId()
    // The end of a request that writes flushes, so that all its changes are one purge.
    const quiet = isHandlingRequest() ? LONGEST : QUIET
    timer = setTimeout(flush, Math.max(0, Math.min(quiet, began + LONGEST - now)))
  }

  function flush(): void {
    if (!timer) return
    clearTimeout(timer)
    timer = undefined
    const collected = { isAll, isSoft, urls, tags, reasons }
    // First, so that an error loses no later changes.
    tags = new Set()
    urls = new Set()
    reasons = new Set()
    isAll = false
    isSoft = true
    const reason = joinReasons(collected.reasons)
    const purge: Purge = collected.isAll
      ? { scope: 'pages', urls: [], tags: [], reason, soft: false }
      : { scope: 'urls', urls: [...collected.urls], tags: [...collected.tags], reason, soft: collected.isSoft }
    outsideRequests(() => emit(purge), cause)
    waiting?.resolve()
    waiting = undefined
  }

  return {
    add(change) {
      for (const tag of change.tags) tags.add(tag)
      for (const url of change.urls) urls.add(url)
      reasons.add(change.reason)
      isSoft &&= change.soft
      schedule()
    },
    addAll(reason) {
      isAll = true
      reasons.add(reason)
      schedule()
    },
    flush,
    get isPending() {
      return timer !== undefined
    },
    async emitted() {
      if (!timer) return
      waiting ??= Promise.withResolvers()
      await waiting.promise
    },
  }
}
