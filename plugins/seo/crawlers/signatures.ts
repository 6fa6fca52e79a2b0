import type { IncomingHttpHeaders } from 'node:http'
import { LRUCache } from 'lru-cache'
import type { CompletedRequest, ExtensionHost } from 'pentad'
import { createSigningKeys } from './signing-keys.ts'

/**
 * Maximum lifetime of a signature and accepted clock skew, in seconds (draft-meunier-web-bot-auth-architecture, 4.2).
 */
const LONGEST = 24 * 60 * 60
const CLOCK_SKEW = 30

/** Maximum number of nonces stored until their signatures expire. */
const MOST_NONCES = 20_000

/** Maximum length of the headers; an Ed25519 signature needs a tenth. */
const LONGEST_HEADER = 2000

/** The parts of a request that a signature can cover. */
export interface SignedRequest extends Pick<CompletedRequest, 'method' | 'url'> {
  /** Host that claims to have signed the request: `chatgpt.com`. */
  readonly signer: string
  readonly fields: readonly { readonly name: string; readonly value: string }[]
  /** Time of the response, Unix time in ms. */
  readonly at: number
}

const FIELDS = ['signature', 'signature-input', 'signature-agent'] as const

/**
 * The single URL in `Signature-Agent`, a string or a dictionary with one member (RFC 9651): `"https://chatgpt.com"`.
 */
const AGENT = /^[^"]*"https:\/\/([a-z\d.-]{1,253})\/?"[^"]*$/i

/** The host that claims to have signed a request, in lower case. */
export function signerOf(headers: Readonly<IncomingHttpHeaders>): string | undefined {
  return AGENT.exec(single(headers, 'signature-agent') ?? '')?.[1]?.toLowerCase()
}

/** The data of a request needed for later verification; `undefined` if it is not signed. */
export function readSigned({ method, url, headers }: CompletedRequest, at: number): SignedRequest | undefined {
  const signer = signerOf(headers)
  if (signer === undefined) return undefined
  const fields = FIELDS.flatMap((name) => {
    const value = single(headers, name)
    return value === undefined || value.length > LONGEST_HEADER ? [] : [{ name, value }]
  })
  return fields.length === FIELDS.length ? { method, url, signer, fields, at } : undefined
}

function single(headers: Readonly<IncomingHttpHeaders>, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

const TAG = 'web-bot-auth'

/** Start of a signature in `Signature-Input`. */
const LABEL = /(?:^|,)\s*([a-z*][a-z\d_.*-]*)=\(/g

/** The label of the signature with the tag for bots; proxies may have added others. */
function labelIn(input: string): string | undefined {
  const starts = [...input.matchAll(LABEL)]
  const ours = starts.find(({ index }, at) => input.slice(index, starts[at + 1]?.index).includes(`tag="${TAG}"`))
  return ours?.[1]
}

/**
 * Verifies Web Bot Auth: HTTP Message Signatures (RFC 9421) with a key from the directory of the signer
 * (draft-meunier-web-bot-auth-architecture). Returns whether the claimed host signed the request.
 */
export function createSignatureCheck(
  host: Pick<ExtensionHost, 'fetch' | 'site'>,
): (request: SignedRequest) => Promise<boolean> {
  const keys = createSigningKeys(host)
  // `max` would allocate all entries now, which takes milliseconds at each start.
  const used = new LRUCache<string, true>({ maxSize: MOST_NONCES, sizeCalculation: () => 1 })

  return async ({ method, url, signer, fields, at }) => {
    const { verifySignature, webcrypto } = await import('http-message-sig')
    // The configured host, not the `Host` header: a signature for another site proves nothing.
    const message = { kind: 'request', method, targetUri: host.site.url + url, fields } as const
    const label = labelIn(fields.find(({ name }) => name === 'signature-input')?.value ?? '')
    if (label === undefined) return false
    try {
      const { parameters } = await verifySignature(message, {
        label,
        policy: {
          algorithms: ['ed25519'],
          requiredComponents: [],
          requiredParameters: ['created', 'expires', 'keyid', 'tag'],
          clockSkew: CLOCK_SKEW,
          maxAge: LONGEST,
          now: Math.floor(at / 1000),
          validate: ({ components, parameters: { tag, created = 0, expires = 0 } }) => {
            const names = new Set(components.map(({ name }) => name))
            const isForThisSite = names.has('@authority') || names.has('@target-uri')
            return tag === TAG && isForThisSite && names.has('signature-agent') && expires - created <= LONGEST
          },
        },
        resolveVerifier: async ({ parameters: { keyid = '' } }) =>
          webcrypto.verifier(await keys.find(signer, keyid, at)),
      })
      const { keyid, nonce, expires = 0 } = parameters
      if (nonce === undefined) return true
      const isRepeated = used.has(`${keyid} ${nonce}`)
      used.set(`${keyid} ${nonce}`, true, { ttl: Math.max(1, (expires + CLOCK_SKEW) * 1000 - Date.now()) })
      return !isRepeated
    } catch {
      return false
    }
  }
}
