import { z } from 'zod'
import { messageOf } from '../../core/errors.ts'
import { RefusedAddress } from '../http/public-address.ts'
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
  /** Sends the requests of a test. */
  readonly fetch: typeof fetch | undefined
  /** Replaces the handles of secrets. @throws Error if a secret does not belong to the host */
  withSecrets(text: string, host: string): string
  /** Settings of the extension that an administrator entered. */
  enteredSettings(): Readonly<Record<string, unknown>>
}

interface SentRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  readonly signal: AbortSignal
}

interface ReceivedResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Truncated after one byte more than is allowed. */
  readonly body: Buffer
}

/** The response as the guest receives it. Redirects are not followed: the guest requests their target, which is checked again. */
interface GuestResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly url: string
  readonly body: string
}

/** `fetch` of a guest: to the hosts of its permission, at public addresses. */
export function createFetch({ granted, usage, isTrustedAddress, fetch, withSecrets, enteredSettings }: FetchParts) {
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
    const sent = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      OWN_HEADERS.test(name.toLowerCase()) ? [] : [[name, withSecrets(value, url.hostname)]],
    )
    const request = {
      ...{ method, body, signal: AbortSignal.timeout(TIME_LIMIT) },
      headers: { 'Accept-Encoding': 'identity', ...Object.fromEntries(sent) },
    }
    const response = await (fetch && !isTrusted ? ask(fetch, url, request) : send(url, request, isTrusted)).catch(
      (error: unknown) => {
        if (error instanceof RefusedAddress) usage.refuse(`fetch: ${reach}, because ${error.message}`)
        else usage.reach(url.host)
        throw new Error(`${url.host} could not be reached: ${messageOf(error)}`)
      },
    )
    usage.reach(url.host)
    if (response.body.length > LONGEST_BODY) {
      throw new Error(`The response from ${url.host} has more than ${LONGEST_BODY} bytes, the maximum for fetch.`)
    }
    return {
      status: response.status,
      headers: Object.fromEntries(
        Object.entries(response.headers).flatMap(([name, value]) =>
          value === undefined || name === 'set-cookie' ? [] : [[name, String(value)]],
        ),
      ),
      url: url.href,
      body: response.body.toString('utf8'),
    }
  }
}

async function send(url: URL, request: SentRequest, isTrusted: boolean): Promise<ReceivedResponse> {
  const response = await requestOnce(url, { ...request, isTrusted })
  const body = await readResponse(url, response, { maxBytes: LONGEST_BODY + 1, truncate: true })
  return { status: response.statusCode ?? 0, headers: response.headers, body }
}

async function ask(responder: typeof fetch, url: URL, request: SentRequest): Promise<ReceivedResponse> {
  const response = await responder(url, { ...request, body: request.body ?? null, redirect: 'manual' })
  const body = Buffer.from(await response.arrayBuffer()).subarray(0, LONGEST_BODY + 1)
  return { status: response.status, headers: Object.fromEntries(response.headers), body }
}

/** Hosts of the URLs in a setting: a URL or a list of them. */
export function hostsOf(value: unknown): string[] {
  return [value].flat().flatMap((one) => URL.parse(String(one))?.hostname ?? [])
}
