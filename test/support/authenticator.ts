import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()

/** A passkey without a device: what a browser sends, as JSON. */
export interface SoftwarePasskey {
  readonly id: string
  register(challenge: string, changes?: Changes): object
  answer(challenge: string, changes?: Changes): object
}

interface Changes {
  readonly origin?: string
  readonly rpId?: string
  readonly type?: string
  readonly flags?: number
  readonly counter?: number
  readonly id?: string
}

/** @param kind of its key: ES256, EdDSA or RS256 */
export function createPasskey(site: URL, kind: 'ec' | 'ed25519' | 'rsa' = 'ec'): SoftwarePasskey {
  const id = randomBytes(32)
  const { publicKey, privateKey } = keyPair(kind)
  const clientData = (type: string, challenge: string, { origin = site.origin }: Changes) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const head = ({ rpId = site.hostname, counter = 0 }: Changes, flags: number) => {
    const rest = Buffer.alloc(5)
    rest.writeUInt8(flags)
    rest.writeUInt32BE(counter, 1)
    return Buffer.concat([sha256(rpId), rest])
  }
  return {
    id: id.toString('base64url'),
    register(challenge, changes = {}) {
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const data = Buffer.concat([head(changes, changes.flags ?? 0x45), Buffer.alloc(16), length, id])
      return {
        id: changes.id ?? id.toString('base64url'),
        response: {
          clientDataJSON: clientData(changes.type ?? 'webauthn.create', challenge, changes).toString('base64url'),
          authenticatorData: data.toString('base64url'),
          publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64url'),
          publicKeyAlgorithm: { ec: -7, ed25519: -8, rsa: -257 }[kind],
        },
      }
    },
    answer(challenge, changes = {}) {
      const data = head(changes, changes.flags ?? 0x05)
      const json = clientData(changes.type ?? 'webauthn.get', challenge, changes)
      const signature = sign(kind === 'ed25519' ? null : 'sha256', Buffer.concat([data, sha256(json)]), privateKey)
      const encoded = { clientDataJSON: json, authenticatorData: data, signature }
      return {
        id: changes.id ?? id.toString('base64url'),
        response: Object.fromEntries(
          Object.entries(encoded).map(([name, bytes]) => [name, bytes.toString('base64url')]),
        ),
      }
    },
  }
}

function keyPair(kind: 'ec' | 'ed25519' | 'rsa'): { publicKey: KeyObject; privateKey: KeyObject } {
  if (kind === 'ec') return generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return kind === 'rsa' ? generateKeyPairSync('rsa', { modulusLength: 2048 }) : generateKeyPairSync('ed25519')
}
