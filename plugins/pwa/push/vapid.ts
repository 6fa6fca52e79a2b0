import { randomBytes } from 'node:crypto'
import { link, mkdir, open as openFile, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import type { ExtensionHost, Vault } from 'pentad'
import { z } from 'zod'

const HOUR = 3_600_000

/**
 * Push services reject more than 24 hours (RFC 8292, 2). A header is used for half of its lifetime to allow for clock
 * skew.
 */
const HEADER_LIFE = 12 * HOUR

/** Maximum push services with cached headers. */
const MOST_HEADERS = 200

const publicKey = z.base64url().refine((key) => Buffer.from(key, 'base64url').length === 65)
const privateKey = z.base64url().refine((key) => Buffer.from(key, 'base64url').length === 32)
const keysSchema = z.object({ publicKey, privateKey })
type Keys = z.output<typeof keysSchema>

/** File format. Earlier versions stored the private key in plain text. */
const storedSchema = z.object({ publicKey, privateKey: z.union([privateKey, z.object({ $sealed: z.string() })]) })

/** Name of the file. */
const NAME = 'vapid.json'

/** Context of the private key in the vault. */
const PLACE = 'vapid private key'

export type Encoding = 'aes128gcm' | 'aesgcm'

/** Identifies the site to push services (VAPID, RFC 8292). */
export interface Vapid {
  /** Public key, base64url. The key pair is created on first use. */
  publicKey(): Promise<string>
  /** Headers for a push service, cached until they expire or the contact changes. */
  headers(origin: string, encoding: Encoding): Promise<VapidHeaders>
}

export interface VapidHeaders {
  readonly Authorization: string
  /** With `aesgcm` only. */
  readonly 'Crypto-Key'?: string
}

/**
 * Opens the key pair in `pwa/vapid.json`, on this machine or in the bucket of the site. It is stored outside the settings, since a new one would invalidate all
 * subscriptions. The private key is encrypted; plain text of an earlier version is migrated.
 *
 * @param subject contact for push services: `mailto:` or `https:`
 */
export async function openVapid(
  {
    site,
    vault,
    log,
    bucket,
  }: Pick<ExtensionHost, 'vault' | 'log' | 'bucket'> & { readonly site: Pick<ExtensionHost['site'], 'dir'> },
  subject: () => string,
): Promise<Vapid> {
  const file = join(site.dir, 'pwa', NAME)
  const kept = new LRUCache<string, VapidHeaders>({ max: MOST_HEADERS, ttl: HEADER_LIFE / 2 })
  let reading: Promise<Keys> | undefined

  function keys() {
    reading ??= readOrMake(file, vault, bucket?.pwa).catch((error) => {
      reading = undefined
      throw error
    })
    return reading
  }

  await encryptStored(file, vault).catch((error) => log.error({ err: error }, 'could not encrypt the VAPID key'))

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

/** @throws Error if the file is damaged or encrypted with another key; it is never overwritten */
async function readOrMake(
  file: string,
  vault: Vault,
  shared?: NonNullable<ExtensionHost['bucket']>['pwa'],
): Promise<Keys> {
  const isKnown = (await shared?.pull(NAME)) ?? true
  const text = await readText(file)
  if (text === undefined || !isKnown) {
    const { default: webPush } = await import('web-push')
    const pair = text ?? seal(webPush.generateVAPIDKeys(), vault)
    await write(file, pair, shared ? (from) => shared.place(from, NAME) : link)
    return readOrMake(file, vault, shared)
  }
  const stored = storedSchema.safeParse(parse(text)).data
  if (!stored) throw new Error('pwa/vapid.json is damaged. Restore it from a backup, or all subscribers are lost.')
  if (typeof stored.privateKey === 'string') return { ...stored, privateKey: stored.privateKey }
  return keysSchema.parse({ ...stored, privateKey: open(stored.privateKey, vault) })
}

function open(sealed: { readonly $sealed: string }, vault: Vault): unknown {
  try {
    return vault.open(sealed, PLACE)
  } catch (error) {
    const message =
      'pwa/vapid.json was encrypted with another secret.key. Restore that key, or delete pwa/vapid.json, after which visitors must subscribe again.'
    throw new Error(message, { cause: error })
  }
}

/** Replaces the file atomically. */
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

/** @param publish - `rename` replaces the file; with `link`, or in the bucket, the first of several processes wins. */
async function write(
  file: string,
  text: string,
  publish: (from: string, to: string) => Promise<unknown>,
): Promise<void> {
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
