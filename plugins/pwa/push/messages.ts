import type { Delivery } from './delivery.ts'
import type { Encrypted } from './encrypt.ts'
import type { Encryption } from './encryption.ts'
import type { PushHosts } from './push-host.ts'
import type { Message } from './push-service.ts'
import type { Encoding, Vapid, VapidHeaders } from './vapid.ts'

/** Common data of all messages of a broadcast. */
export interface Broadcast {
  readonly id: string
  /** JSON of up to 3 KB. */
  readonly payload: string
  readonly timeToLiveSeconds: number
}

/** A delivery and its message. */
export interface Ready {
  readonly delivery: Delivery
  /** `null` if the keys of the subscription are invalid or its endpoint is not allowed. */
  readonly message: Message | null
}

/** Creates the messages. Errors occur here, before a delivery is claimed. */
export interface Messages {
  /** @param origin push service of all deliveries */
  make(broadcast: Broadcast, origin: string, deliveries: readonly Delivery[]): Promise<Ready[]>
}

export function createMessages(parts: {
  encryption: Encryption
  vapid: Vapid
  hosts: Pick<PushHosts, 'parse'>
}): Messages {
  const { encryption, vapid, hosts } = parts

  /** Common headers of messages with an encoding to a push service. */
  async function headersFor(
    { id, timeToLiveSeconds }: Broadcast,
    origin: string,
    encoding: Encoding,
  ): Promise<Headers> {
    return {
      ...(await vapid.headers(origin, encoding)),
      'Content-Type': 'application/octet-stream',
      'Content-Encoding': encoding,
      TTL: String(timeToLiveSeconds),
      Urgency: 'normal',
      // A duplicate would replace the first message (RFC 8030, 5.4).
      Topic: id.slice(0, 32),
    }
  }

  return {
    async make(broadcast, origin, deliveries) {
      const encrypted = await encryption.encrypt(broadcast.payload, deliveries)
      const common = {
        aes128gcm: await headersFor(broadcast, origin, 'aes128gcm'),
        aesgcm: await headersFor(broadcast, origin, 'aesgcm'),
      }
      return deliveries.map((delivery, at) => {
        const { endpoint, encoding, attempts } = delivery
        const one = encrypted[at]
        // Checked again, since rows can come from backups and local environments.
        if (!one || hosts.parse(endpoint)?.origin !== origin) return { delivery, message: null }
        const headers = encoding === 'aes128gcm' ? common.aes128gcm : withKeys(common.aesgcm, one)
        const path = endpoint.slice(origin.length) || '/'
        return { delivery, message: { path, headers, body: one.body, isRetry: attempts > 0 } }
      })
    },
  }
}

type Headers = VapidHeaders & Readonly<Record<string, string>>

/** Older drafts of RFC 8291 send these values in headers instead of the body. */
function withKeys(headers: Headers, { salt, publicKey }: Encrypted): Headers {
  return { ...headers, Encryption: `salt=${salt}`, 'Crypto-Key': `dh=${publicKey};${headers['Crypto-Key']}` }
}
