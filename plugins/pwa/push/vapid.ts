import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'

const HOUR = 3_600_000

/** Push services refuse more than 24 hours (RFC 8292, 2); a header is used for half of its life, whatever the clocks. */
const HEADER_LIFE = 12 * HOUR

/** Push services whose headers are kept. */
const MOST_HEADERS = 200

const keysSchema = z.object({
  publicKey: z.base64url().refine((key) => Buffer.from(key, 'base64url').length === 65),
  privateKey: z.base64url().refine((key) => Buffer.from(key, 'base64url').length === 32),
})

export type Encoding = 'aes128gcm' | 'aesgcm'

/** How the site shows push services who it is (VAPID, RFC 8292). */
export interface Vapid {
  /** What browsers subscribe with, base64url. The key pair is made when it is first needed. */
  publicKey(): Promise<string>
  /** The headers for one push service; the same ones until they grow old or the contact changes. */
  headers(origin: string, encoding: Encoding): Promise<VapidHeaders>
}

export interface VapidHeaders {
  readonly Authorization: string
  /** With `aesgcm` only. */
  readonly 'Crypto-Key'?: string
}

/**
 * The key pair lies in `pwa/vapid.json` of the site, apart from the settings: a new one would cut off all subscribers.
 *
 * @param subject whom a push service can write to: `mailto:` or `https:`
 */
export function createVapid(siteDir: string, subject: () => string): Vapid {
  const file = join(siteDir, 'pwa', 'vapid.json')
  const kept = new LRUCache<string, VapidHeaders>({ max: MOST_HEADERS, ttl: HEADER_LIFE / 2 })
  let reading: Promise<z.output<typeof keysSchema>> | undefined

  function keys() {
    reading ??= readOrMake(file).catch((error) => {
      reading = undefined
      throw error
    })
    return reading
  }

  return {
    publicKey: async () => (await keys()).publicKey,
    async headers(origin, encoding) {
      const contact = subject()
      const name = `${encoding} ${origin} ${contact}`
      const known = kept.get(name)
      if (known) return known
      const { publicKey, privateKey } = await keys()
      const { default: webPush } = await import('web-push')
      const expires = Math.floor((Date.now() + HEADER_LIFE) / 1000)
      const made = webPush.getVapidHeaders(origin, contact, publicKey, privateKey, encoding, expires)
      const { Authorization, 'Crypto-Key': cryptoKey } = made
      const headers = cryptoKey === undefined ? { Authorization } : { Authorization, 'Crypto-Key': cryptoKey }
      kept.set(name, headers)
      return headers
    },
  }
}

/** @throws Error if there is a file that holds no keys: it is never overwritten */
async function readOrMake(file: string): Promise<z.output<typeof keysSchema>> {
  const text = await readFile(file, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) {
    await make(file)
    return readOrMake(file)
  }
  const keys = keysSchema.safeParse(parse(text)).data
  if (!keys) throw new Error('pwa/vapid.json holds no key pair. Bring it back from a backup, or subscribers are lost.')
  return keys
}

/** Of several processes that make it at once, the first one's is kept. */
async function make(file: string): Promise<void> {
  const { default: webPush } = await import('web-push')
  await mkdir(join(file, '..'), { recursive: true })
  const temporary = `${file}.${randomBytes(8).toString('hex')}.tmp`
  const handle = await open(temporary, 'wx', 0o600)
  try {
    await handle.writeFile(JSON.stringify(webPush.generateVAPIDKeys()))
    await handle.sync()
    await handle.close()
    await link(temporary, file)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    await rm(temporary, { force: true })
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
