import { randomBytes } from 'node:crypto'
import { link, mkdir, open as openFile, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import type { ExtensionHost, Vault } from 'pentad'
import { z } from 'zod'

const HOUR = 3_600_000

/** Push services refuse more than 24 hours (RFC 8292, 2); a header is used for half of its life, whatever the clocks. */
const HEADER_LIFE = 12 * HOUR

/** Push services whose headers are kept. */
const MOST_HEADERS = 200

const publicKey = z.base64url().refine((key) => Buffer.from(key, 'base64url').length === 65)
const privateKey = z.base64url().refine((key) => Buffer.from(key, 'base64url').length === 32)
const keysSchema = z.object({ publicKey, privateKey })
type Keys = z.output<typeof keysSchema>

/** As the file has them. Earlier versions stored the private key as it is. */
const storedSchema = z.object({ publicKey, privateKey: z.union([privateKey, z.object({ $sealed: z.string() })]) })

/** Where the vault of the extension keeps the private key. */
const PLACE = 'vapid private key'

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
 * The key pair lies in `pwa/vapid.json` of the site, apart from the settings: a new one would cut off all subscribers. The
 * private key is encrypted; one that an earlier version stored in plain text is encrypted now.
 *
 * @param subject whom a push service can write to: `mailto:` or `https:`
 */
export async function openVapid(
  { site, vault, log }: Pick<ExtensionHost, 'vault' | 'log'> & { readonly site: Pick<ExtensionHost['site'], 'dir'> },
  subject: () => string,
): Promise<Vapid> {
  const file = join(site.dir, 'pwa', 'vapid.json')
  const kept = new LRUCache<string, VapidHeaders>({ max: MOST_HEADERS, ttl: HEADER_LIFE / 2 })
  let reading: Promise<Keys> | undefined

  function keys() {
    reading ??= readOrMake(file, vault).catch((error) => {
      reading = undefined
      throw error
    })
    return reading
  }

  await encryptStored(file, vault).catch((error) => log.error({ err: error }, 'the VAPID key could not be encrypted'))

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

/** @throws Error if there is a file that holds no keys, or keys of another site: it is never overwritten */
async function readOrMake(file: string, vault: Vault): Promise<Keys> {
  const text = await readText(file)
  if (text === undefined) {
    const { default: webPush } = await import('web-push')
    await write(file, seal(webPush.generateVAPIDKeys(), vault), link)
    return readOrMake(file, vault)
  }
  const stored = storedSchema.safeParse(parse(text)).data
  if (!stored)
    throw new Error('pwa/vapid.json holds no key pair. Bring it back from a backup, or subscribers are lost.')
  if (typeof stored.privateKey === 'string') return { ...stored, privateKey: stored.privateKey }
  return keysSchema.parse({ ...stored, privateKey: open(stored.privateKey, vault) })
}

function open(sealed: { readonly $sealed: string }, vault: Vault): unknown {
  try {
    return vault.open(sealed, PLACE)
  } catch (error) {
    const message =
      'pwa/vapid.json was encrypted with another secret.key. Put that key back, or delete pwa/vapid.json: then browsers have to subscribe again.'
    throw new Error(message, { cause: error })
  }
}

/** A rename: a process that is killed leaves the old file or the new one, and both hold the same pair. */
async function encryptStored(file: string, vault: Vault): Promise<void> {
  const keys = keysSchema.safeParse(parse((await readText(file)) ?? '')).data
  if (keys) await write(file, seal(keys, vault), rename)
}

function seal({ publicKey, privateKey }: Keys, vault: Vault): string {
  return JSON.stringify({ publicKey, privateKey: vault.seal(privateKey, PLACE) })
}

async function readText(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
}

/** @param publish - `rename` replaces the file; of several processes that `link` at once, the first one's is kept. */
async function write(file: string, text: string, publish: typeof link | typeof rename): Promise<void> {
  await mkdir(join(file, '..'), { recursive: true })
  const temporary = `${file}.${randomBytes(8).toString('hex')}.tmp`
  const handle = await openFile(temporary, 'wx', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
    await handle.close()
    await publish(temporary, file)
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
