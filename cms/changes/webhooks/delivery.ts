import type { Updateable } from 'kysely'
import { toGmt } from '../../../core/database/gmt.ts'
import { outsideRequests } from '../../../core/http/request-context.ts'
import { createLeasedWork, type HeldLease, type LeasedWorkParts } from '../leased-work.ts'
import type { ChangeLog } from '../log.ts'
import type { WebhookTable } from '../tables.ts'
import { retryDelay } from './retries.ts'
import { send } from './send.ts'
import type { WebhookRow, WebhookStore } from './store.ts'
import type { Attempt, AttemptKind, Message } from './types.ts'

const GONE = 410

export interface Delivery {
  /** Delivers what is due to all endpoints. Resolves before the receivers have responded. @returns `false` if there are no endpoints */
  deliverDue(): Promise<boolean>
  /** Makes one attempt now, out of order. */
  attempt(hook: WebhookRow, message: Message, kind: AttemptKind): Promise<Attempt>
  /** Resolves when no delivery is in progress. */
  idle(): Promise<void>
}

/** The next event of an endpoint, and its position once it is accepted. */
interface NextEvent {
  readonly message: Message
  readonly position: string | null
}

interface Parts extends LeasedWorkParts {
  readonly store: WebhookStore
  readonly changes: Pick<ChangeLog, 'read' | 'newest' | 'requestOf'>
  /** Whether receivers on this machine are allowed. */
  readonly isLocal: boolean
  readonly now: () => number
}

/**
 * Delivers the change log to endpoints: to each in order and at least once, an event only after the one before it was accepted. Of several
 * processes, the one with the endpoint's lease delivers. Endpoints do not wait for each other.
 */
export function createDelivery(parts: Parts): Delivery {
  const { store, changes, log, isLocal, stopping, now } = parts
  const delivering = createLeasedWork('webhook', 'webhook delivery failed', parts)

  const isDue = ({ is_enabled, next_attempt_gmt }: WebhookRow) =>
    is_enabled === 1 && (next_attempt_gmt === null || next_attempt_gmt <= toGmt(now()))

  async function attempt(hook: WebhookRow, message: Message, kind: AttemptKind, signal = stopping): Promise<Attempt> {
    const made = await trySend(hook, message, signal)
    // An attempt that the end of the site interrupted says nothing about the receiver.
    if (!signal.aborted) await store.addDelivery(hook.id, message.id, kind, made)
    return made
  }

  async function trySend(hook: WebhookRow, message: Message, signal: AbortSignal): Promise<Attempt> {
    try {
      return await send(hook.url, message, { keys: store.keysOf(hook), isLocal, signal, now })
    } catch (error) {
      log.error({ err: error, webhook: hook.id }, 'webhook could not be signed')
      return { status: null, error: 'The secret could not be decrypted. Rotate it.', durationMs: 0 }
    }
  }

  async function nextOf({ id, position }: WebhookRow): Promise<NextEvent | undefined> {
    const found = await changes.read(position ?? undefined, 1)
    if (!found) {
      const newest = (await changes.newest()) ?? null
      const data = { scope: 'pages', urls: [], tags: [], soft: false, cause: 'change' }
      const reason = 'Earlier events are no longer in the change log.'
      return {
        message: { id: `reset-${newest ?? id}`, type: 'pentad.purge', data: { ...data, reason } },
        position: newest,
      }
    }
    const [change] = found
    if (!change) return undefined
    const { id: eventId, type, time: _, ...data } = change
    return { message: { id: eventId, type: `pentad.${type}`, data }, position: eventId }
  }

  /** The state of an endpoint after an attempt. */
  function stateAfter(hook: WebhookRow, position: string | null, made: Attempt): Updateable<WebhookTable> {
    if (made.error === '') return { position, failures: 0, next_attempt_gmt: null }
    const failures = hook.failures + 1
    const delay = retryDelay(failures, made.retryAfterMs)
    if (made.status !== GONE && delay !== undefined) return { failures, next_attempt_gmt: toGmt(now() + delay) }
    const disabled_reason = made.status === GONE ? 'gone' : 'failing'
    return { failures, next_attempt_gmt: null, is_enabled: 0, disabled_reason }
  }

  async function deliverAll(id: string, lease: HeldLease): Promise<void> {
    for (;;) {
      const hook = await store.get(id)
      const next = hook && isDue(hook) ? await nextOf(hook) : undefined
      if (!hook || !next) return
      const requestId = await changes.requestOf(next.message.id)
      if (lease.signal.aborted || !(await outsideRequests(() => deliver(hook, next, lease), requestId))) return
    }
  }

  /** @returns whether the next event may follow */
  async function deliver(hook: WebhookRow, { message, position }: NextEvent, lease: HeldLease): Promise<boolean> {
    const made = await attempt(hook, message, 'event', lease.signal)
    if (lease.signal.aborted) return false
    const state = stateAfter(hook, position, made)
    const isStored = await lease.write((transaction) => store.update(hook.id, state, transaction))
    const { disabled_reason: reason } = state
    if (isStored && reason) log.warn({ webhook: hook.id, host: new URL(hook.url).host, reason }, 'webhook disabled')
    return isStored
  }

  return {
    attempt,
    async deliverDue() {
      const hooks = await store.list()
      const newest = hooks.length > 0 ? await changes.newest() : undefined
      for (const hook of hooks) {
        const { id } = hook
        if (!isDue(hook) || hook.position === (newest ?? null) || delivering.isRunning(id)) continue
        delivering.start(id, (lease) => deliverAll(id, lease))
      }
      return hooks.length > 0
    },
    idle: delivering.idle,
  }
}
