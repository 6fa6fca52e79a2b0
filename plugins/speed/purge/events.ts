import type { ExtensionHost } from 'pentad'
import '../hooks.ts'
import type { Purge, PurgeScope } from '../types.ts'
import { mergePurges } from './merge.ts'

export type PurgeAction = `speed_purge_${PurgeScope}:${'before' | 'after'}` | 'speed_purged'

/** Milliseconds that one listener may take. */
const LISTENER_TIME = 10_000
/** Milliseconds that all listeners of one dispatch may take together. */
const DISPATCH_TIME = 120_000
/** Dispatches at the same time; a listener that hangs must not hold up the purges behind it. */
const CONCURRENCY = 8
/**
 * Seconds before each further try. An extension is paused after five failures within a minute: three of these tries at
 * most fall into one.
 */
const RETRY_AFTER = [2, 30, 60, 120, 240, 480, 960, 1800]
/** Dispatches that wait; what comes behind them is told together. */
const MOST_WAITING = 200
/** Milliseconds that the end of the process waits for listeners. */
const LAST_WAIT = 5000

interface Telling {
  readonly action: PurgeAction
  readonly purge: Purge
  /** How often it has failed. */
  failures: number
}

/** Tells integrations of purges, and tells them again if one of them failed. */
export interface PurgeEvents {
  /** Calls the listeners soon; nobody waits for them. */
  tell(action: PurgeAction, purge: Purge): void
  /** Resolves when all listeners have been called once, at the latest after five seconds. */
  told(): Promise<void>
}

/**
 * Each action is dispatched at once. Where a listener failed, it is dispatched again later, together with what else
 * failed under its name meanwhile, so that an outage of a CDN costs one retry and not one for each change.
 */
export function createPurgeEvents(host: ExtensionHost): PurgeEvents {
  const { hooks, jobs, log } = host
  const failed = new Map<PurgeAction, Purge>()
  const retrying = new Set<PurgeAction>()
  let untold = 0
  let allTold: PromiseWithResolvers<void> | undefined

  const { queue } = jobs.createQueue<Telling>({
    name: 'purge events',
    concurrency: CONCURRENCY,
    timeout: DISPATCH_TIME,
    retries: RETRY_AFTER.length,
    work: (telling) => (telling.failures === 0 ? tellFirst(telling) : tellAgain(telling)),
  })

  async function tellFirst(telling: Telling): Promise<void> {
    const { action, purge } = telling
    const isHeard = await dispatch(action, purge).finally(noteTold)
    if (isHeard) return
    keep(action, purge)
    if (retrying.has(action)) return
    retrying.add(action)
    throw postponed(telling)
  }

  async function tellAgain(telling: Telling): Promise<void> {
    const { action } = telling
    const purge = failed.get(action) ?? telling.purge
    failed.delete(action)
    if (await dispatch(action, purge)) {
      const meanwhile = failed.get(action)
      retrying.delete(action)
      if (meanwhile) tell(action, meanwhile)
      return
    }
    if (telling.failures < RETRY_AFTER.length) {
      keep(action, purge)
      throw postponed(telling)
    }
    retrying.delete(action)
    log.error(
      { action, reason: purge.reason },
      'a listener failed again and again, it is not told of this purge any more',
    )
  }

  function keep(action: PurgeAction, purge: Purge): void {
    const other = failed.get(action)
    failed.set(action, other ? mergePurges(other, purge) : purge)
  }

  /** Whether every listener managed. */
  async function dispatch(action: PurgeAction, purge: Purge): Promise<boolean> {
    let isHeard = true
    const onError = () => {
      isHeard = false
    }
    try {
      await hooks.limited({ timeout: LISTENER_TIME, cancelable: false, onError }).doActionAsync(action, purge)
    } catch (error) {
      log.error({ err: error, action }, 'a listener of a purge failed')
      return false
    }
    return isHeard
  }

  function noteTold(): void {
    untold--
    if (untold === 0) allTold?.resolve()
  }

  function tell(action: PurgeAction, purge: Purge): void {
    if (!hooks.hasAction(action) && !hooks.hasAction('all')) {
      void hooks.doActionAsync(action, purge)
      return
    }
    if (queue.size < MOST_WAITING) {
      untold++
      queue.push({ action, purge, failures: 0 })
      return
    }
    keep(action, purge)
    if (retrying.has(action)) return
    retrying.add(action)
    queue.push({ action, purge, failures: 1 })
  }

  return {
    tell,
    async told() {
      if (untold === 0) return
      allTold = Promise.withResolvers()
      const timer = setTimeout(allTold.resolve, LAST_WAIT)
      await allTold.promise
      clearTimeout(timer)
    },
  }
}

/** What makes the queue try again. */
function postponed(telling: Telling): Error {
  const retryAfterSeconds = RETRY_AFTER[telling.failures] ?? 0
  telling.failures++
  return Object.assign(new Error(`A listener of ${telling.action} failed.`), { retryAfterSeconds })
}
