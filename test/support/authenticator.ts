import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()

/** A passkey without a device: what a browser sends, as JSON. */
export interface SoftwarePasskey {
  readonly id: string
  readonly publicKey: KeyObject
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
    publicKey,
    register(challenge, changes = {}) {
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const credential = Buffer.concat([Buffer.alloc(16), length, id, coseKey(publicKey)])
      const authData = new Uint8Array(Buffer.concat([head(changes, changes.flags ?? 0x45), credential]))
      const attestation = isoCBOR.encode(
        new Map<string, string | Uint8Array | Map<string, string>>([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', authData],
        ]),
      )
      return {
        ...named(changes.id ?? id.toString('base64url')),
        response: {
          clientDataJSON: clientData(changes.type ?? 'webauthn.create', challenge, changes).toString('base64url'),
          attestationObject: Buffer.from(attestation).toString('base64url'),
        },
      }
    },
    answer(challenge, changes = {}) {
      const data = head(changes, changes.flags ?? 0x05)
      const json = clientData(changes.type ?? 'webauthn.get', challenge, changes)
      const signature = sign(kind === 'ed25519' ? null : 'sha256', Buffer.concat([data, sha256(json)]), privateKey)
      const encoded = { clientDataJSON: json, authenticatorData: data, signature }
      return {
        ...named(changes.id ?? id.toString('base64url')),
        response: Object.fromEntries(
          Object.entries(encoded).map(([name, bytes]) => [name, bytes.toString('base64url')]),
        ),
      }
    },
  }
}

const named = (id: string) => ({ id, rawId: id, type: 'public-key', clientExtensionResults: {} })

/** The public key as an authenticator encodes it (RFC 9052). */
function coseKey(key: KeyObject): Uint8Array {
  const { kty, x = '', y = '', n = '', e = '' } = key.export({ format: 'jwk' })
  const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'))
  const entries: [number, number | Uint8Array][] =
    kty === 'EC'
      ? [
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, bytes(x)],
          [-3, bytes(y)],
        ]
      : kty === 'OKP'
        ? [
            [1, 1],
            [3, -8],
            [-1, 6],
            [-2, bytes(x)],
          ]
        : [
            [1, 3],
            [3, -257],
            [-1, bytes(n)],
            [-2, bytes(e)],
          ]
  return isoCBOR.encode(new Map(entries))
}

function keyPair(kind: 'ec' | 'ed25519' | 'rsa'): { publicKey: KeyObject; privateKey: KeyObject } {
  if (kind === 'ec') return generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return kind === 'rsa' ? generateKeyPairSync('rsa', { modulusLength: 2048 }) : generateKeyPairSync('ed25519')
}
