import { createHash, type JsonWebKey, webcrypto } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { ExtensionHost } from 'pentad'
import { z } from 'zod'
import { fetchPublicJson } from './public-json.ts'

/**
 * Lifetime of a directory, time before an unknown key is looked up again, and time before a retry after a failure, in
 * ms.
 */
const FRESH = 60 * 60 * 1000
const LOOK_AGAIN = 60 * 1000
const TRY_AGAIN = 10 * 60 * 1000

const MOST_DIRECTORIES = 50
const MOST_KEYS = 50

/** A JSON Web Key Set (RFC 7517), of which only Ed25519 keys are used (RFC 8037). Times are Unix times in seconds. */
const directorySchema = z.object({ keys: z.array(z.unknown()).max(MOST_KEYS) })
const keySchema = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string().regex(/^[\w-]{43}$/),
  nbf: z.number().optional(),
  exp: z.number().optional(),
})
type SigningKey = z.output<typeof keySchema>

interface Directory {
  readonly keys: ReadonlyMap<string, SigningKey>
  readonly readAt: number
  readonly hasFailed: boolean
}

/** Public keys of signers. */
export interface SigningKeys {
  /**
   * The key of a host by its ID, from the directory of the host. @throws Error if there is none, or it is not valid at
   * that time (Unix time in ms)
   */
  find(host: string, keyId: string, now: number): Promise<webcrypto.CryptoKey>
}

/** Reads `/.well-known/http-message-signatures-directory` (draft-meunier-http-message-signatures-directory). */
export function createSigningKeys(host: Pick<ExtensionHost, 'fetch'>): SigningKeys {
  const directories = new LRUCache<string, Directory>({ max: MOST_DIRECTORIES })
  const reading = new Map<string, Promise<Directory>>()

  async function read(name: string): Promise<Directory> {
    const url = `https://${name}/.well-known/http-message-signatures-directory`
    try {
      const { keys } = directorySchema.parse(await fetchPublicJson(host, url, { redirect: 'error' }))
      const good = keys.flatMap((key) => keySchema.safeParse(key).data ?? [])
      return { keys: new Map(good.map((key) => [thumbprint(key), key])), readAt: Date.now(), hasFailed: false }
    } catch {
      // Known keys stay valid: an outage of a directory does not revoke them.
      return { keys: directories.get(name)?.keys ?? new Map(), readAt: Date.now(), hasFailed: true }
    }
  }

  function isGood({ readAt, hasFailed }: Directory, hasKey: boolean): boolean {
    const age = Date.now() - readAt
    if (hasFailed) return age < TRY_AGAIN
    return age < (hasKey ? FRESH : LOOK_AGAIN)
  }

  async function directoryOf(name: string, keyId: string): Promise<Directory> {
    const known = directories.get(name)
    if (known && isGood(known, known.keys.has(keyId))) return known
    const pending = reading.get(name)
    if (pending) return pending
    const next = read(name).finally(() => reading.delete(name))
    reading.set(name, next)
    const directory = await next
    directories.set(name, directory)
    return directory
  }

  return {
    async find(name, keyId, now) {
      const { keys } = await directoryOf(name, keyId)
      const key = keys.get(keyId)
      if (!key) throw new Error(`${name} does not publish the key ${keyId}.`)
      const { nbf = 0, exp = Number.POSITIVE_INFINITY, kty, crv, x } = key
      if (now < nbf * 1000 || now >= exp * 1000)
        throw new Error(`The key ${keyId} of ${name} has expired or is not valid yet.`)
      const jwk: JsonWebKey = { kty, crv, x }
      return webcrypto.subtle.importKey('jwk', jwk, 'Ed25519', false, ['verify'])
    },
  }
}

/** The ID of a key is its thumbprint (RFC 7638; RFC 8037, appendix A.3). */
function thumbprint({ crv, kty, x }: SigningKey): string {
  return createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url')
}
