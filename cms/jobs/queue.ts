import { setImmediate as turn } from 'node:timers/promises'
import { withOrigin } from '../../core/errors.ts'
import { outsideRequests, requestId } from '../../core/http/request-context.ts'
import type { Logger } from '../../core/log.ts'
import type { Owner } from '../../core/owner.ts'
import { createSelfStarts, type Line } from './self-starts.ts'
import { backOff } from './time.ts'
import type { Queue, QueueOptions } from './types.ts'

/** Items that work may push, each within the work on the one before, within ten seconds. */
const SELF_PUSHES = 1_000
/** Minimum milliseconds between two warnings of a full queue. */
const WARNING_INTERVAL = 10_000

interface Waiting<Item> {
  /** Changes where items are merged. */
  item: Item
  readonly failures: number
  /** Set where it was pushed by the work on another one. */
  readonly line: Line | undefined
  /** ID of the request that pushed it; of merged items, the first. */
  readonly cause: string | undefined
  /** It was done before, and is not repeated again. */
  isRepeat?: boolean
}

/** An in-memory queue: items are lost when the process ends (use a job for durable work). Items in back-off do not block others. */
export function createQueue<Item>(
  options: QueueOptions<Item>,
  { owner, log }: { owner: Owner; log: Logger },
): { queue: Queue<Item>; close: () => void } {
  const { name, work, merge, limit = 1000, timeout = 10_000, retries = 4, longestWait, repeatAfter } = options
  const added = new Error('Registered here.')
  const concurrency = merge ? 1 : (options.concurrency ?? 2)
  const selfStarts = createSelfStarts(SELF_PUSHES, (error, what) => owner.onError(error, what))
  const closing = new AbortController()
  const retrying = new Map<NodeJS.Timeout, Waiting<Item>>()
  const repeats = new Set<NodeJS.Timeout>()
  const waiting: Waiting<Item>[] = []
  let running = 0
  /** Items dropped since the last warning, and when the next one may be logged. */
  let dropped = 0
  let nextWarning = 0
  let idle: PromiseWithResolvers<void> | undefined

  const size = () => waiting.length + retrying.size + running

  function close(): void {
    if (closing.signal.aborted) return
    const dropped = waiting.length + retrying.size
    if (dropped > 0) log.warn({ owner: owner.id, queue: name, dropped }, 'queue closed with pending items')
    for (const timer of retrying.keys()) clearTimeout(timer)
    retrying.clear()
    for (const timer of repeats) clearTimeout(timer)
    repeats.clear()
    waiting.length = 0
    closing.abort(new Error(`The queue ${name} is closed.`))
    settle()
  }

  function push(item: Item): boolean {
    return add({ item, failures: 0, line: selfStarts.begin(`queue ${name}`), cause: requestId() })
  }

  function add(entry: Waiting<Item>): boolean {
    if (closing.signal.aborted) return false
    const other = retrying.values().next().value ?? waiting[0]
    if (!merge || !other) return enqueue(entry)
    other.item = merge(other.item, entry.item)
    if (!entry.isRepeat) other.isRepeat = false
    return true
  }

  /** A retry does not count as waiting until its time has come. */
  function repeat(item: Item): void {
    const timer = setTimeout(() => {
      repeats.delete(timer)
      add({ item, failures: 0, line: undefined, cause: undefined, isRepeat: true })
    }, repeatAfter)
    timer.unref()
    repeats.add(timer)
  }

  /** `false` if something had to go for it. */
  function enqueue(entry: Waiting<Item>): boolean {
    const full = waiting.length >= limit
    if (full) {
      waiting.shift()
      noteDropped()
    }
    waiting.push(entry)
    start()
    return !full
  }

  function noteDropped(): void {
    dropped++
    const now = performance.now()
    if (now < nextWarning) return
    log.warn({ owner: owner.id, queue: name, limit, dropped }, 'queue full, oldest items dropped')
    dropped = 0
    nextWarning = now + WARNING_INTERVAL
  }

  function start(): void {
    while (running < concurrency) {
      const entry = waiting.shift()
      if (!entry) return
      running++
      void run(entry)
    }
  }

  async function run(entry: Waiting<Item>): Promise<void> {
    const { item, failures, line } = entry
    const stopped = new AbortController()
    const timer = setTimeout(
      () => stopped.abort(new Error(`An item of the queue ${name} took longer than ${timeout} ms.`)),
      timeout,
    )
    const onClose = () => stopped.abort(closing.signal.reason)
    closing.signal.addEventListener('abort', onClose, { once: true })
    const begin = () => selfStarts.run(line, () => Promise.try(work, item, stopped.signal))
    try {
      // Yields to other work, because work may enqueue itself endlessly.
      if (line !== undefined) await turn()
      await Promise.race([outsideRequests(begin, entry.cause), rejection(stopped.signal)])
      if (repeatAfter !== undefined && !entry.isRepeat && !closing.signal.aborted) repeat(item)
    } catch (error) {
      if (!closing.signal.aborted) tryAgain({ ...entry, failures: failures + 1 }, error)
    } finally {
      clearTimeout(timer)
      closing.signal.removeEventListener('abort', onClose)
      running--
      start()
      settle()
    }
  }

  function tryAgain(entry: Waiting<Item>, error: unknown): void {
    if (entry.failures > retries) {
      owner.onError(withOrigin(error, added), `queue ${name}`)
      return
    }
    log.warn({ err: error, owner: owner.id, queue: name, failures: entry.failures }, 'queue item will be retried')
    // Items that arrived during the attempt wait for the same retry.
    if (merge) {
      for (const { item, isRepeat } of waiting.splice(0)) {
        entry.item = merge(entry.item, item)
        if (!isRepeat) entry.isRepeat = false
      }
    }
    const timer = setTimeout(
      () => {
        retrying.delete(timer)
        enqueue(entry)
      },
      backOff(entry.failures, error, longestWait),
    )
    timer.unref()
    retrying.set(timer, entry)
  }

  function settle(): void {
    if (size() > 0) return
    idle?.resolve()
    idle = undefined
  }

  return {
    close,
    queue: {
      push,
      get size() {
        return size()
      },
      async idle() {
        if (size() === 0) return
        idle ??= Promise.withResolvers()
        await idle.promise
      },
    },
  }
}

function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
