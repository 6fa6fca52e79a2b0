/** A browser that takes notifications: its keys, and reading what it gets. Written from the RFCs, not with web-push. */
import { createDecipheriv, createECDH, createHmac, type ECDH, randomBytes } from 'node:crypto'

/** What a push service passes on. */
export interface Received {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

export interface Subscriber {
  readonly subscription: {
    readonly endpoint: string
    readonly expirationTime: null
    readonly keys: { readonly p256dh: string; readonly auth: string }
  }
  /** The text of a message; throws if it was not meant for this browser. */
  decrypt(message: Received): string
}

export function createSubscriber(endpoint: string): Subscriber {
  const key = createECDH('prime256v1')
  const p256dh = key.generateKeys()
  const auth = randomBytes(16)
  const keys = { p256dh: p256dh.toString('base64url'), auth: auth.toString('base64url') }
  return {
    subscription: { endpoint, expirationTime: null, keys },
    decrypt: (message) =>
      (message.headers['content-encoding'] === 'aesgcm' ? readAesgcm : readAes128gcm)(message, key, auth),
  }
}

/** RFC 8291 over RFC 8188: salt (16), record size (4), length of the key (1), the sender's key, one record. */
function readAes128gcm({ body }: Received, key: ECDH, auth: Buffer): string {
  const salt = body.subarray(0, 16)
  const keyLength = body.readUInt8(20)
  const sender = body.subarray(21, 21 + keyLength)
  const record = body.subarray(21 + keyLength)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), key.getPublicKey(), sender])
  const secret = hkdf(auth, key.computeSecret(sender), info, 32)
  const plain = open(
    record,
    hkdf(salt, secret, Buffer.from('Content-Encoding: aes128gcm\0'), 16),
    hkdf(salt, secret, Buffer.from('Content-Encoding: nonce\0'), 12),
  )
  const end = plain.lastIndexOf(2)
  return plain.subarray(0, end).toString()
}

/** draft-ietf-webpush-encryption-04: salt and key in headers, two bytes of padding length first. */
function readAesgcm({ headers, body }: Received, key: ECDH, auth: Buffer): string {
  const salt = Buffer.from(parameter(headers.encryption, 'salt'), 'base64url')
  const sender = Buffer.from(parameter(headers['crypto-key'], 'dh'), 'base64url')
  const withLength = (bytes: Buffer) => Buffer.concat([Buffer.from([0, bytes.length]), bytes])
  const context = Buffer.concat([Buffer.from('P-256\0'), withLength(key.getPublicKey()), withLength(sender)])
  const secret = hkdf(auth, key.computeSecret(sender), Buffer.from('Content-Encoding: auth\0'), 32)
  const plain = open(
    body,
    hkdf(salt, secret, Buffer.concat([Buffer.from('Content-Encoding: aesgcm\0'), context]), 16),
    hkdf(salt, secret, Buffer.concat([Buffer.from('Content-Encoding: nonce\0'), context]), 12),
  )
  return plain.subarray(2 + plain.readUInt16BE(0)).toString()
}

function parameter(header: string | string[] | undefined, name: string): string {
  const value = new RegExp(`(?:^|[;,]\\s*)${name}=([^;,]+)`).exec(String(header))?.[1]
  if (value === undefined) throw new Error(`${name} is missing in ${header}`)
  return value
}

/** RFC 5869 for lengths of one block. */
function hkdf(salt: Buffer, secret: Buffer, info: Buffer, length: number): Buffer {
  const hmac = (key: Buffer, data: Buffer) => createHmac('sha256', key).update(data).digest()
  return hmac(hmac(salt, secret), Buffer.concat([info, Buffer.from([1])])).subarray(0, length)
}

function open(record: Buffer, key: Buffer, nonce: Buffer): Buffer {
  const decipher = createDecipheriv('aes-128-gcm', key, nonce)
  decipher.setAuthTag(record.subarray(-16))
  return Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
}
