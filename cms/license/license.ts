import { RestError } from '../../core/errors.ts'
import type { Hooks } from '../../core/hooks/types.ts'
import type { Logger } from '../../core/log.ts'
import { isSealed } from '../../core/options/secrets.ts'
import type { JsonValue, Options, Vault } from '../../core/options/types.ts'
import { readLicenseKey, readPublicKey } from './license-key.ts'
import type { License, LicenseStatus } from './types.ts'

const OPTION = 'host_license'
/** The longest a timer can wait; a later expiry is waited for in steps. */
const LONGEST_TIMER = 2 ** 31 - 1

/** Validity of a key regardless of the current time: `until` is when it expires. */
interface Verdict {
  readonly status: LicenseStatus
  /** Milliseconds since 1970; `Infinity` for never. */
  readonly until: number
}

interface Parts {
  readonly options: Options
  readonly vault: Vault
  readonly hooks: Hooks
  readonly config: {
    readonly url: string
    readonly licenseKey?: string | undefined
    readonly licensePublicKey?: string | undefined
  }
  readonly log: Logger
  /** Returns milliseconds since the epoch; replaceable in tests. */
  readonly now?: (() => number) | undefined
}

/**
 * The license of the site: the key set through REST or the CLI, or else the configured one, verified offline. Stored encrypted; a key
 * stored in plain text by an earlier version is encrypted now. Its expiry is checked on every read.
 */
export async function createLicense({
  options,
  vault,
  hooks,
  config,
  log,
  now = () => Date.now(),
}: Parts): Promise<License & { close(): void }> {
  const publicKey = config.licensePublicKey === undefined ? undefined : readPublicKey(config.licensePublicKey)
  if (config.licensePublicKey !== undefined && !publicKey) {
    log.warn('license public key ignored: neither PEM nor base64url of a 32-byte Ed25519 key')
  }
  const origin = new URL(config.url).origin
  let judgedKey: string | undefined
  let verdict = judge(undefined)
  let announced: LicenseStatus | undefined
  let timer: NodeJS.Timeout | undefined
  let opened: { readonly stored: JsonValue; readonly key: string | undefined } | undefined

  function judge(key: string | undefined): Verdict {
    const inactive = (reason: string, known: Partial<LicenseStatus> = {}): Verdict => ({
      status: { active: false, plan: null, licensee: null, expires: null, ...known, reason },
      until: Number.NEGATIVE_INFINITY,
    })
    if (key === undefined) return inactive('missing')
    if (!publicKey) return inactive('no_public_key')
    const read = readLicenseKey(key, publicKey)
    if ('reason' in read) return inactive(read.reason)
    const { plan, licensee, site, expires } = read.payload
    const until = expires ? Date.parse(expires) : Number.POSITIVE_INFINITY
    const known = { plan, licensee, expires: expires ? toUtc(expires) : null }
    if (site && URL.parse(site)?.origin !== origin) return inactive('foreign_site', known)
    return { status: { active: true, ...known, reason: null }, until }
  }

  function currentKey(): string | undefined {
    const stored = options.get(OPTION)
    if (typeof stored === 'string') return stored
    if (stored === undefined || !isSealed(stored)) return config.licenseKey?.trim()
    if (opened?.stored !== stored) opened = { stored, key: open(stored) }
    return opened.key ?? config.licenseKey?.trim()
  }

  /** `undefined` if it was encrypted with another site's key. */
  function open(stored: JsonValue): string | undefined {
    try {
      const key = vault.open(stored, OPTION)
      return typeof key === 'string' ? key : undefined
    } catch (error) {
      log.warn({ err: error }, 'license key was encrypted with another secret.key, enter it again')
      return undefined
    }
  }

  const atPresent = ({ status, until }: Verdict): LicenseStatus =>
    status.active && now() >= until ? { ...status, active: false, reason: 'expired' } : status

  function status(): LicenseStatus {
    const key = currentKey()
    if (key !== judgedKey) {
      judgedKey = key
      verdict = judge(key)
      awaitExpiry()
    }
    return atPresent(verdict)
  }

  async function set(key: string): Promise<LicenseStatus> {
    await options.update(OPTION, vault.seal(key.trim(), OPTION))
    return announce()
  }

  /** Fires `license_changed` if the status differs from the one announced last. */
  async function announce(): Promise<LicenseStatus> {
    const current = status()
    const isNews = JSON.stringify(current) !== JSON.stringify(announced)
    announced = current
    if (isNews) await hooks.doActionAsync('license_changed', current)
    return current
  }

  function awaitExpiry(): void {
    clearTimeout(timer)
    const wait = verdict.until - now()
    if (!Number.isFinite(wait) || wait <= 0) return
    timer = setTimeout(
      () => {
        awaitExpiry()
        announce().catch((error: unknown) => log.error({ err: error }, 'license_changed callback failed'))
      },
      Math.min(wait, LONGEST_TIMER),
    )
    timer.unref()
  }

  const former = options.get(OPTION)
  if (typeof former === 'string') await options.update(OPTION, vault.seal(former, OPTION))
  announced = status()
  // Also when it is another process that sets the key.
  const stopListening = hooks.addAction('updated_option', async (name) => {
    if (name === OPTION) await announce()
  })

  return {
    status,
    get active() {
      return status().active
    },
    set,
    async replace(key) {
      const { active, reason } = atPresent(judge(key.trim()))
      if (status().active && !active) {
        const message =
          'This license key is not valid, so the current license was not replaced. Check that you pasted the complete key.'
        throw new RestError('invalid_license_key', message, { status: 400, reason })
      }
      return set(key)
    },
    async remove() {
      await options.delete(OPTION)
      return announce()
    },
    close() {
      stopListening()
      clearTimeout(timer)
    },
  }
}

/** ISO 8601 in UTC; unchanged if it already is. */
function toUtc(date: string): string {
  return date.endsWith('Z') ? date : new Date(date).toISOString()
}
