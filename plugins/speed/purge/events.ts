import { type ExtensionHost, mergePurges, type Purge, type PurgeScope } from 'pentad'
import '../hooks.ts'

export type PurgeAction = `speed_purge_${PurgeScope}:${'before' | 'after'}` | 'speed_purged'

/** Time limit per callback, in ms. */
const LISTENER_TIME = 10_000
/** Time limit per dispatch, in ms. */
const DISPATCH_TIME = 120_000
/** Concurrent dispatches, so that a hanging callback does not block later purges. */
const CONCURRENCY = 8
/**
 * Delay before each retry, in seconds. An extension is paused after five failures within a minute; at most three of
 * these retries fall into one.
 */
const RETRY_AFTER = [2, 30, 60, 120, 240, 480, 960, 1800]
/** Maximum queued dispatches; later purges are merged. */
const MOST_WAITING = 200
/** How long shutdown waits for callbacks, in ms. */
const LAST_WAIT = 5000

interface Delivery {
  readonly action: PurgeAction
  readonly purge: Purge
  /** Number of failed attempts. */
  failures: number
}

/** Notifies integrations of purges, with retries. */
export interface PurgeEvents {
  /** Queues a dispatch without waiting for callbacks. */
  emit(action: PurgeAction, purge: Purge): void
  /** Resolves when all callbacks were called once, at the latest after five seconds. */
  settled(): Promise<void>
}

/**
 * Each action is dispatched immediately. If a callback fails, it is dispatched again later, merged with other failed
 * purges of the same action, so that an outage of a CDN costs one retry instead of one per change.
 */
export function createPurgeEvents(host: ExtensionHost): PurgeEvents {
  const { hooks, jobs, log } = host
  const failed = new Map<PurgeAction, Purge>()
  const retrying = new Set<PurgeAction>()
  let pending = 0
  let drained: PromiseWithResolvers<void> | undefined

  const { queue } = jobs.createQueue<Delivery>({
    name: 'purge events',
    concurrency: CONCURRENCY,
    timeout: DISPATCH_TIME,
    retries: RETRY_AFTER.length,
    work: (delivery) => (delivery.failures === 0 ? deliver(delivery) : redeliver(delivery)),
  })

  async function deliver(delivery: Delivery): Promise<void> {
    const { action, purge } = delivery
    const isDelivered = await dispatch(action, purge).finally(noteDelivered)
    if (isDelivered) return
    remember(action, purge)
    if (retrying.has(action)) return
    retrying.add(action)
    throw postponed(delivery)
  }

  async function redeliver(delivery: Delivery): Promise<void> {
    const { action } = delivery
    const purge = failed.get(action) ?? delivery.purge
    failed.delete(action)
    if (await dispatch(action, purge)) {
      const meanwhile = failed.get(action)
      retrying.delete(action)
      if (meanwhile) emit(action, meanwhile)
      return
    }
    if (delivery.failures < RETRY_AFTER.length) {
      remember(action, purge)
      throw postponed(delivery)
    }
    retrying.delete(action)
    log.error({ action, reason: purge.reason }, 'purge callback failed, giving up')
  }

  function remember(action: PurgeAction, purge: Purge): void {
    const other = failed.get(action)
    failed.set(action, other ? mergePurges(other, purge) : purge)
  }

  /** Whether all callbacks succeeded. */
  async function dispatch(action: PurgeAction, purge: Purge): Promise<boolean> {
    let isDelivered = true
    const onError = () => {
      isDelivered = false
    }
    try {
      await hooks.limited({ timeout: LISTENER_TIME, cancelable: false, onError }).doActionAsync(action, purge)
    } catch (error) {
      log.error({ err: error, action }, 'purge callback failed')
      return false
    }
    return isDelivered
  }

  function noteDelivered(): void {
    pending--
    if (pending === 0) drained?.resolve()
  }

  function emit(action: PurgeAction, purge: Purge): void {
    if (!hooks.hasAction(action) && !hooks.hasAction('all')) {
      void hooks.doActionAsync(action, purge)
      return
    }
    if (queue.size < MOST_WAITING) {
      pending++
      queue.push({ action, purge, failures: 0 })
      return
    }
    remember(action, purge)
    if (retrying.has(action)) return
    retrying.add(action)
    queue.push({ action, purge, failures: 1 })
  }

  return {
    emit,
    async settled() {
      if (pending === 0) return
      drained = Promise.withResolvers()
      const timer = setTimeout(drained.resolve, LAST_WAIT)
      await drained.promise
      clearTimeout(timer)
    },
  }
}

/** An error that makes the queue retry. */
function postponed(delivery: Delivery): Error {
  const retryAfterSeconds = RETRY_AFTER[delivery.failures] ?? 0
  delivery.failures++
  return Object.assign(new Error(`A callback of ${delivery.action} failed.`), { retryAfterSeconds })
}
