import type { Logger } from 'pentad'
import type { Deliveries, Delivery, Result } from './deliveries.ts'
import type { Encrypted } from './encrypt.ts'
import type { Encryption } from './encryption.ts'
import type { PushHosts } from './push-host.ts'
import type { Outcome, PushService } from './push-service.ts'
import type { PushServices } from './push-services.ts'
import type { SubscriptionRows } from './subscriptions.ts'
import type { Vapid } from './vapid.ts'

/** Messages that are encrypted in one go, while those before them are sent. */
const ENCRYPTED_AT_ONCE = 256

/** Tries for one message, and the wait after the first one in milliseconds; it doubles. */
const MOST_TRIES = 3
const FIRST_WAIT = 1000

/** Milliseconds without any outcome after which a run ends; what is on its way then ends without it. */
const PATIENCE = 1000

/** Milliseconds after which one looks whether what is on its way has ended. It may have been lost with its process. */
const LOOK_AGAIN = 1000

/**
 * Outcomes are written together, since each write waits for the disk: when there are so many, or after so many
 * milliseconds. Should the process die before, their claims keep them from being sent again.
 */
const WRITTEN_AT_ONCE = 1000
const WRITTEN_AFTER = 500

/** What every message of a sending has. */
export interface Sending {
  readonly id: string
  /** JSON text, under 3 KB. */
  readonly payload: string
  readonly timeToLiveSeconds: number
}

/** Sends what is due of a sending. */
export interface Delivering {
  /** Resolves when nothing is due any more, nothing happens any more, or the signal fires. */
  run(sending: Sending, batchSize: number, signal: AbortSignal): Promise<void>
  /** When there is something to send or to count again, milliseconds since 1970; `undefined` once all has ended. */
  nextRun(sendingId: string): Promise<number | undefined>
  /** Waits for messages on their way. */
  close(): Promise<void>
}

export function createDelivering(parts: {
  deliveries: Deliveries
  subscriptions: Pick<SubscriptionRows, 'announceRemoved'>
  hosts: Pick<PushHosts, 'parse'>
  services: PushServices
  encryption: Encryption
  vapid: Vapid
  log: Logger
}): Delivering {
  const { deliveries, subscriptions, hosts, services, encryption, vapid, log } = parts
  const underWay = new Set<Promise<void>>()

  function track(work: Promise<void>): void {
    const tracked: Promise<void> = work
      .catch((error) => log.error({ err: error }, 'outcomes of notifications could not be written'))
      .finally(() => underWay.delete(tracked))
    underWay.add(tracked)
  }

  /** Gathers outcomes and writes many in one transaction. */
  function collect(sendingId: string) {
    let results: Result[] = []
    let timer: NodeJS.Timeout | undefined
    let writing = Promise.resolve()

    function write(): Promise<void> {
      clearTimeout(timer)
      timer = undefined
      const written = results
      results = []
      if (written.length === 0) return writing
      writing = writing
        .catch(() => {})
        .then(async () => subscriptions.announceRemoved(await deliveries.settle(sendingId, written)))
      track(writing)
      return writing
    }

    return {
      add(result: Result): void {
        results.push(result)
        if (results.length >= WRITTEN_AT_ONCE) void write()
        else timer ??= setTimeout(write, WRITTEN_AFTER)
      },
      write,
    }
  }

  async function run(sending: Sending, batchSize: number, signal: AbortSignal): Promise<void> {
    const outcomes = collect(sending.id)
    const stop = new AbortController()
    const stopped = AbortSignal.any([signal, stop.signal])
    let lastProgress = Date.now()
    const onWay = new Set<Promise<void>>()
    const watch = setInterval(() => {
      if (onWay.size > 0 && Date.now() - lastProgress > PATIENCE) stop.abort()
    }, PATIENCE / 4)

    /** Sends a batch after the other to one push service, so that one that hangs holds up none of the others. */
    async function lane(origin: string): Promise<void> {
      const service = await services.get(origin)
      while (!stopped.aborted && service.breaker.until <= Date.now()) {
        const batch = await deliveries.batch(sending.id, origin, batchSize, Date.now())
        if (batch.length === 0) return
        let next = encrypt(origin, batch.slice(0, ENCRYPTED_AT_ONCE))
        for (let at = 0; at < batch.length && !stopped.aborted; at += ENCRYPTED_AT_ONCE) {
          const messages = await next
          next = encrypt(origin, batch.slice(at + ENCRYPTED_AT_ONCE, at + 2 * ENCRYPTED_AT_ONCE))
          if (!(await sendAll(service, origin, messages))) return
        }
      }
    }

    async function encrypt(origin: string, batch: readonly Delivery[]): Promise<Ready[]> {
      if (batch.length === 0) return []
      const encrypted = await encryption.encrypt(sending.payload, batch)
      // Checked again: rows come with backups and from local environments too, and browsers change their push service.
      const isOf = ({ endpoint }: Delivery) => hosts.parse(endpoint)?.origin === origin
      return batch.map((delivery, at) => ({ delivery, message: (isOf(delivery) && encrypted[at]) || null }))
    }

    /** `false` if the push service wants no more, or nobody wants to send any more. */
    async function sendAll(service: PushService, origin: string, messages: readonly Ready[]): Promise<boolean> {
      for (let at = 0; at < messages.length; ) {
        const slots = await service.slots(messages.length - at, stopped)
        const some = messages.slice(at, at + slots)
        at += slots
        if (stopped.aborted || service.breaker.until > Date.now()) {
          service.giveBack(slots)
          return false
        }
        const ids = some.map(({ delivery }) => delivery.id)
        const claimed = await deliveries.claim(sending.id, ids, Date.now())
        for (const { delivery, message } of some) {
          if (claimed.has(delivery.id) && message) start(service, origin, delivery, message)
          else service.giveBack(1)
          if (claimed.has(delivery.id) && !message) outcomes.add({ ...delivery, end: 'failed' })
        }
      }
      return true
    }

    function start(service: PushService, origin: string, delivery: Delivery, message: Encrypted): void {
      const sent = send(service, origin, delivery, message).then(() => {
        lastProgress = Date.now()
        onWay.delete(sent)
      })
      onWay.add(sent)
      lastProgress = Date.now()
    }

    async function send(service: PushService, origin: string, delivery: Delivery, message: Encrypted): Promise<void> {
      const { endpoint, encoding } = delivery
      const headers = {
        ...headersOf(await vapid.headers(origin, encoding), encoding, message),
        TTL: String(sending.timeToLiveSeconds),
        Urgency: 'normal',
        // Should a message come twice after all, the second takes the place of the first (RFC 8030, 5.4).
        Topic: sending.id.slice(0, 32),
      }
      const outcome = await service.send({ path: endpoint.slice(origin.length) || '/', headers, body: message.body })
      if (outcome.kind === 'refused' || outcome.kind === 'again')
        log.info({ host: new URL(origin).host, subscription: delivery.id, why: outcome.why }, 'notification not sent')
      outcomes.add({
        id: delivery.id,
        endpoint_hash: delivery.endpoint_hash,
        end: endOf(outcome, delivery.attempts + 1),
      })
    }

    try {
      const lanes = (await deliveries.origins(sending.id, Date.now())).map(lane)
      await Promise.all(lanes)
      await Promise.race([Promise.all(onWay), aborted(stopped)])
      await outcomes.write()
    } finally {
      clearInterval(watch)
      stop.abort()
      track(Promise.all(onWay).then(() => outcomes.write()))
    }
  }

  return {
    run,
    async nextRun(sendingId) {
      const moments = (await deliveries.pending(sendingId)).map(async ({ origin, state, due }) => {
        if (state === 'claimed') return Math.min(due, Date.now() + LOOK_AGAIN)
        const { breaker } = await services.get(origin)
        return Math.max(due, breaker.until)
      })
      return moments.length === 0 ? undefined : Math.min(...(await Promise.all(moments)))
    },
    async close() {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}

interface Ready {
  readonly delivery: Delivery
  /** `null`: the keys of the subscription are none, or nothing may be sent to its endpoint. */
  readonly message: Encrypted | null
}

/** RFC 8291 says it all in the body; its drafts, which old browsers speak, in headers. */
function headersOf(vapid: Awaited<ReturnType<Vapid['headers']>>, encoding: Delivery['encoding'], message: Encrypted) {
  const headers = {
    Authorization: vapid.Authorization,
    'Content-Type': 'application/octet-stream',
    'Content-Encoding': encoding,
  }
  if (encoding === 'aes128gcm') return headers
  return {
    ...headers,
    Encryption: `salt=${message.salt}`,
    'Crypto-Key': `dh=${message.publicKey};${vapid['Crypto-Key']}`,
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
