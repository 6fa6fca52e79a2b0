import type { Logger } from 'pentad'
import type { Deliveries } from './deliveries.ts'
import type { Delivery, Result } from './delivery.ts'
import type { Broadcast, Messages, Ready } from './messages.ts'
import type { Message, Outcome, PushService } from './push-service.ts'
import type { PushServices } from './push-services.ts'
import type { SubscriptionRows } from './subscriptions.ts'
import { createWriteBuffer } from './write-buffer.ts'

/** Messages encrypted per chunk, and chunks prepared ahead of sending. */
const MADE_AT_ONCE = 128
const AHEAD = 2

/** Attempts per message, and the delay after the first one in milliseconds, which doubles. */
const MOST_TRIES = 3
const FIRST_WAIT = 1000

/** Milliseconds without an outcome after which a run ends. Requests in flight then finish in the background. */
const PATIENCE = 1000

/** Milliseconds between checks of claimed deliveries, which may have been lost with their process. */
const LOOK_AGAIN = 1000

/** Sends the due deliveries of a broadcast. */
export interface Sender {
  /** Resolves when nothing is due, nothing makes progress, or the signal is aborted. */
  run(broadcast: Broadcast, batchSize: number, signal: AbortSignal): Promise<void>
  /** When to run again, in milliseconds since 1970; `undefined` once all deliveries have ended. */
  nextRun(sendingId: string): Promise<number | undefined>
  /** Ends all runs. Resolves when requests in flight have ended and are recorded. */
  close(): Promise<void>
}

export function createSender(parts: {
  deliveries: Deliveries
  subscriptions: Pick<SubscriptionRows, 'announceRemoved'>
  services: PushServices
  messages: Messages
  log: Logger
}): Sender {
  const { deliveries, subscriptions, services, messages, log } = parts
  const closing = new AbortController()
  const pending = new Set<Promise<void>>()

  /** Work to wait for on close. Errors are handled by the caller. */
  function track(work: Promise<void>): void {
    const tracked: Promise<void> = work.catch(() => {}).finally(() => pending.delete(tracked))
    pending.add(tracked)
  }

  /** Opens the write buffer of a broadcast. */
  function open(sendingId: string) {
    return createWriteBuffer((entries) => {
      const written = deliveries.write(sendingId, entries, Date.now())
      const announced = written.then(({ gone }) => subscriptions.announceRemoved(gone))
      track(announced.catch((error) => log.error({ err: error }, 'could not store notification results')))
      return written.then(({ claimed }) => claimed)
    })
  }

  async function run(broadcast: Broadcast, batchSize: number, signal: AbortSignal): Promise<void> {
    const buffer = open(broadcast.id)
    const stop = new AbortController()
    const stopped = AbortSignal.any([signal, stop.signal, closing.signal])
    let lastProgress = Date.now()
    const inFlight = new Set<Promise<void>>()
    const watch = setInterval(() => {
      if (inFlight.size > 0 && Date.now() - lastProgress > PATIENCE) stop.abort()
    }, PATIENCE / 4)

    /** Sends to one push service until nothing is due. A service that hangs does not delay the others. */
    async function lane(origin: string): Promise<void> {
      const service = await services.get(origin)
      for (let found = true; found; ) {
        found = false
        const ahead: Promise<Ready[]>[] = []
        for await (const some of due(origin)) {
          if (stopped.aborted || service.breaker.until > Date.now()) return
          found = true
          const making = messages.make(broadcast, origin, some)
          // Errors are handled when the chunk is awaited.
          making.catch(() => {})
          ahead.push(making)
          const next = ahead.length > AHEAD ? ahead.shift() : undefined
          if (next && !(await sendAll(service, await next))) return
        }
        for (const next of ahead) if (!(await sendAll(service, await next))) return
      }
    }

    /** Iterates over the due deliveries in chunks. */
    async function* due(origin: string): AsyncGenerator<readonly Delivery[]> {
      for (let after = 0; ; ) {
        const batch = await deliveries.batch(broadcast.id, origin, after, batchSize, Date.now())
        for (let at = 0; at < batch.length; at += MADE_AT_ONCE) yield batch.slice(at, at + MADE_AT_ONCE)
        const last = batch.at(-1)
        if (!last) return
        after = last.id
      }
    }

    /** `false` if the circuit breaker opened or the run was stopped. */
    async function sendAll(service: PushService, ready: readonly Ready[]): Promise<boolean> {
      for (let at = 0; at < ready.length; ) {
        const slots = await service.slots(ready.length - at, stopped)
        const some = ready.slice(at, at + slots)
        at += slots
        if (stopped.aborted || service.breaker.until > Date.now()) {
          service.giveBack(slots)
          return false
        }
        const claimed = await buffer.claim(some.map(({ delivery }) => delivery.id)).catch((error) => {
          service.giveBack(slots)
          throw error
        })
        for (const { delivery, message } of some) {
          if (claimed.has(delivery.id) && message) start(service, delivery, message)
          else service.giveBack(1)
          if (claimed.has(delivery.id) && !message) buffer.add({ ...delivery, end: 'failed' })
        }
      }
      return true
    }

    function start(service: PushService, delivery: Delivery, message: Message): void {
      const { id, endpoint, endpoint_hash, attempts } = delivery
      const sent = service.send(message).then((outcome) => {
        if (outcome.kind === 'refused' || outcome.kind === 'again')
          log.info({ host: new URL(endpoint).host, subscription: id, why: outcome.why }, 'notification not sent')
        buffer.add({ id, endpoint_hash, end: endOf(outcome, attempts + 1) })
        lastProgress = Date.now()
        inFlight.delete(sent)
      })
      inFlight.add(sent)
      lastProgress = Date.now()
    }

    let lanes: Promise<void>[] = []
    async function settleRest(): Promise<void> {
      await Promise.allSettled(lanes)
      await Promise.all(inFlight)
      await buffer.write()
    }

    try {
      lanes = (await deliveries.origins(broadcast.id, Date.now())).map(lane)
      await Promise.all(lanes)
      await Promise.race([Promise.all(inFlight), aborted(stopped)])
      await buffer.write()
    } finally {
      clearInterval(watch)
      stop.abort()
      track(settleRest())
    }
  }

  return {
    run(...broadcast) {
      const running = run(...broadcast)
      track(running)
      return running
    },
    async nextRun(sendingId) {
      const moments = (await deliveries.pending(sendingId)).map(async ({ origin, state, due }) => {
        if (state === 'claimed') return Math.min(due, Date.now() + LOOK_AGAIN)
        const { breaker } = await services.get(origin)
        return Math.max(due, breaker.until)
      })
      return moments.length === 0 ? undefined : Math.min(...(await Promise.all(moments)))
    },
    async close() {
      closing.abort()
      while (pending.size > 0) await Promise.all(pending)
    },
  }
}

function endOf(outcome: Outcome, tries: number): Result['end'] {
  if (outcome.kind === 'sent' || outcome.kind === 'gone') return outcome.kind
  if (outcome.kind === 'refused' || tries >= MOST_TRIES) return 'failed'
  const wait = FIRST_WAIT * 2 ** (tries - 1) * (1 + Math.random() / 4)
  return { againAt: Math.max(outcome.after ?? 0, Math.ceil(Date.now() + wait)) }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
