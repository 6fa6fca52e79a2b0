import { z } from 'zod'
import { messageOf } from '../../core/errors.ts'
import { addressErrorOf, readResponse, requestOnce } from '../http/public-request.ts'
import { createBudget } from './budget.ts'
import { assertMayChange } from './changes.ts'
import { type GrantedPermissions, PermissionError } from './permissions.ts'
import type { SandboxUsage } from './usage.ts'

/** Of a request in characters, of a response in bytes. */
const LONGEST_BODY = 1024 * 1024
/** Shorter than the wall time of a call, so that the guest gets an error instead of being ended. */
const TIME_LIMIT = 2_500
/** The host sets these itself. */
const OWN_HEADERS =
  /^(?:host|connection|content-length|transfer-encoding|te|trailer|upgrade|keep-alive|expect|proxy-.*|cookie)$/

const initSchema = z.strictObject({
  method: z.string().max(10).default('GET'),
  headers: z.record(z.string().regex(/^[!#$%&'*+.^`|~\w-]{1,100}$/), z.string().max(8_000)).default({}),
  body: z.string().max(LONGEST_BODY).optional(),
})

interface FetchParts {
  readonly granted: GrantedPermissions
  readonly usage: SandboxUsage
  readonly isTrustedAddress: ((url: URL) => boolean) | undefined
  /** Replaces the handles of secrets. @throws Error if a secret does not belong to the host */
  withSecrets(text: string, host: string): string
  /** Settings of the extension that an administrator entered. */
  enteredSettings(): Readonly<Record<string, unknown>>
}

/** The response as the guest receives it. Redirects are not followed: the guest requests their target, which is checked again. */
interface GuestResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly url: string
  readonly body: string
}

/** `fetch` of a guest: to the hosts of its permission, at public addresses. */
export function createFetch({ granted, usage, isTrustedAddress, withSecrets, enteredSettings }: FetchParts) {
  const { fetch: permission } = granted
  const budget = createBudget(permission?.perMinute ?? 0, 60_000)

  /** The key of the permission that allows the host. */
  function permissionFor(host: string): string | undefined {
    const pattern = permission?.hosts.find((one) => (one.startsWith('*.') ? host.endsWith(one.slice(1)) : one === host))
    if (pattern !== undefined) return `fetch ${pattern}`
    const name = permission?.hostsFromSettings.find((key) => hostsOf(enteredSettings()[key]).includes(host))
    return name && `fetch setting ${name}`
  }

  return async (address: unknown, init: unknown): Promise<GuestResponse> => {
    const url = new URL(z.string().max(8_000).parse(address))
    const { method, headers, body } = initSchema.parse(init ?? {})
    const key = permissionFor(url.hostname)
    const reach = `${method} ${url.host}`
    if (permission === undefined || key === undefined) {
      throw new PermissionError(reach, 'fetch.hosts')
    }
    if (!permission.methods.some((one) => one === method)) {
      throw new PermissionError(`The method of ${reach}`, 'fetch.methods')
    }
    if (method !== 'GET' && method !== 'HEAD') assertMayChange(`fetch with ${method}`)
    const isTrusted = isTrustedAddress?.(url) === true
    const problem = addressErrorOf(url, { isTrusted: () => isTrusted })
    if (problem !== undefined) {
      usage.refuse(`fetch: ${reach}, because ${problem}`)
      throw new Error(`fetch of ${url.host} is not allowed: ${problem}.`)
    }
    budget.take(`The extension may send ${permission.perMinute} requests a minute (permissions.fetch).`)
    usage.use(key)
    usage.reach(url.host)
    const sent = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      OWN_HEADERS.test(name.toLowerCase()) ? [] : [[name, withSecrets(value, url.hostname)]],
    )
    const response = await requestOnce(url, {
      headers: { 'Accept-Encoding': 'identity', ...Object.fromEntries(sent) },
      ...{ method, body, isTrusted, signal: AbortSignal.timeout(TIME_LIMIT) },
    }).catch((error: unknown) => {
      throw new Error(`${url.host} could not be reached: ${messageOf(error)}`)
    })
    const read = await readResponse(url, response, { maxBytes: LONGEST_BODY + 1, truncate: true })
    if (read.length > LONGEST_BODY) {
      throw new Error(`The response from ${url.host} has more than ${LONGEST_BODY} bytes, the maximum for fetch.`)
    }
    return {
      status: response.statusCode ?? 0,
      headers: Object.fromEntries(
        Object.entries(response.headers).flatMap(([name, value]) =>
          value === undefined || name === 'set-cookie' ? [] : [[name, String(value)]],
        ),
      ),
      url: url.href,
      body: read.toString('utf8'),
    }
  }
}

/** Hosts of the URLs in a setting: a URL or a list of them. */
export function hostsOf(value: unknown): string[] {
  return [value].flat().flatMap((one) => URL.parse(String(one))?.hostname ?? [])
}
