import type { Delivery } from './delivery.ts'
import type { Encrypted } from './encrypt.ts'
import type { Encryption } from './encryption.ts'
import type { PushHosts } from './push-host.ts'
import type { Message } from './push-service.ts'
import type { Encoding, Vapid, VapidHeaders } from './vapid.ts'

/** What every message of a sending has. */
export interface Sending {
  readonly id: string
  /** JSON text, under 3 KB. */
  readonly payload: string
  readonly timeToLiveSeconds: number
}

/** A delivery and what is sent for it. */
export interface Ready {
  readonly delivery: Delivery
  /** `null`: the keys of the subscription are none, or nothing may be sent to its endpoint. */
  readonly message: Message | null
}

/** Makes the messages to subscribers. All that can fail does so here, before a delivery is claimed. */
export interface Messages {
  /** @param origin the push service of all of the deliveries */
  make(sending: Sending, origin: string, deliveries: readonly Delivery[]): Promise<Ready[]>
}

export function createMessages(parts: {
  encryption: Encryption
  vapid: Vapid
  hosts: Pick<PushHosts, 'parse'>
}): Messages {
  const { encryption, vapid, hosts } = parts

  /** What the messages of an encoding to a push service have in common. */
  async function headersFor({ id, timeToLiveSeconds }: Sending, origin: string, encoding: Encoding): Promise<Headers> {
    return {
      ...(await vapid.headers(origin, encoding)),
      'Content-Type': 'application/octet-stream',
      'Content-Encoding': encoding,
      TTL: String(timeToLiveSeconds),
      Urgency: 'normal',
      // Should a message come twice after all, the second takes the place of the first (RFC 8030, 5.4).
      Topic: id.slice(0, 32),
    }
  }

  return {
    async make(sending, origin, deliveries) {
      const encrypted = await encryption.encrypt(sending.payload, deliveries)
      const common = {
        aes128gcm: await headersFor(sending, origin, 'aes128gcm'),
        aesgcm: await headersFor(sending, origin, 'aesgcm'),
      }
      return deliveries.map((delivery, at) => {
        const { endpoint, encoding, attempts } = delivery
        const one = encrypted[at]
        // Checked again: rows come with backups and from local environments too, and browsers change their push service.
        if (!one || hosts.parse(endpoint)?.origin !== origin) return { delivery, message: null }
        const headers = encoding === 'aes128gcm' ? common.aes128gcm : withKeys(common.aesgcm, one)
        const path = endpoint.slice(origin.length) || '/'
        return { delivery, message: { path, headers, body: one.body, isRetry: attempts > 0 } }
      })
    },
  }
}

type Headers = VapidHeaders & Readonly<Record<string, string>>

/** RFC 8291 says it all in the body; its drafts, which old browsers speak, in headers. */
function withKeys(headers: Headers, { salt, publicKey }: Encrypted): Headers {
  return { ...headers, Encryption: `salt=${salt}`, 'Crypto-Key': `dh=${publicKey};${headers['Crypto-Key']}` }
}
