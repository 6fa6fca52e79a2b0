import apiFetch from '@wordpress/api-fetch'
import { pageData } from '../page-data.ts'
import { confirmPassword } from './confirm-password.ts'
import { ApiError } from './error.ts'
import { renewNonce, signInAgain } from './session.ts'

/** Query parameters; lists are joined with commas, undefined and empty values are omitted. */
export type Query = Readonly<Record<string, string | number | boolean | readonly (string | number)[] | undefined>>

export interface Sending {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly query?: Query | undefined
  /** Request body, sent as JSON. */
  readonly data?: unknown
  readonly body?: BodyInit
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
}

apiFetch.use(apiFetch.createRootURLMiddleware(pageData.restUrl))
const nonce = apiFetch.createNonceMiddleware(pageData.nonce)
apiFetch.use(nonce)
apiFetch.nonceMiddleware = nonce

/** The nonce of the current session. */
export const currentNonce = (): string => nonce.nonce

/** `wp/v2/posts`, `{ page: 2 }` → `/wp/v2/posts?page=2` */
export function pathOf(path: string, query: Query = {}): string {
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] => {
    const text = Array.isArray(value) ? value.join(',') : String(value ?? '')
    return text === '' ? [] : [[name, text]]
  })
  return given.length === 0 ? `/${path}` : `/${path}?${new URLSearchParams(given)}`
}

/**
 * Sends a request to a route. With an expired nonce it is sent again with a new one. A lost session waits until the user has
 * logged in again, and a change that needs the current password waits until the user has confirmed it; then the request is
 * sent again, so no input is lost.
 *
 * @param path without a leading slash: `wp/v2/posts`
 * @throws ApiError
 */
export async function request(path: string, sending: Sending = {}): Promise<Response> {
  try {
    return await signedInRequest(path, sending)
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'password_confirmation_required')) throw error
    await confirmPassword()
    return signedInRequest(path, sending)
  }
}

async function signedInRequest(path: string, sending: Sending): Promise<Response> {
  const { method = 'GET', query, data, body, headers, signal } = sending
  const send = () =>
    apiFetch<Response, false>({
      path: pathOf(path, query),
      method,
      parse: false,
      ...(data !== undefined && { data }),
      ...(body !== undefined && { body }),
      ...(headers && { headers: { ...headers } }),
      ...(signal && { signal }),
    })
  for (const renew of [renewNonce, signInAgain]) {
    try {
      return await send()
    } catch (thrown) {
      const error = await ApiError.of(thrown)
      if (!error.isSignedOut) throw error
      nonce.nonce = (await renew()) ?? nonce.nonce
    }
  }
  return send().catch(async (thrown) => {
    throw await ApiError.of(thrown)
  })
}

/** Unwraps `{ status: 'success', data }` of the services and the bare objects of `wp/v2`. */
async function unwrap<Data>(response: Response): Promise<Data> {
  if (response.status === 204) return JSON.parse('null')
  const body = await response.json()
  return typeof body === 'object' && body !== null && body.status === 'success' && 'data' in body ? body.data : body
}

export async function read<Data>(path: string, query?: Query, signal?: AbortSignal): Promise<Data> {
  return unwrap(await request(path, { query, signal }))
}

export async function change<Data>(
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  data?: unknown,
  sending: Omit<Sending, 'method' | 'data'> = {},
): Promise<Data> {
  return unwrap(await request(path, { ...sending, method, ...(data !== undefined && { data }) }))
}

/** One page of a list. */
export interface Listed<Item> {
  readonly items: readonly Item[]
  readonly total: number
  readonly pages: number
}

/** A page of a list, from `wp/v2` (an array with headers) or from a service (`data: { items, total, pages }`). */
export async function readList<Item>(path: string, query?: Query, signal?: AbortSignal): Promise<Listed<Item>> {
  const response = await request(path, { query, signal })
  const body = await unwrap<readonly Item[] | Listed<Item>>(response)
  if (!('items' in body)) {
    const total = Number(response.headers.get('X-WP-Total') ?? body.length)
    return { items: body, total, pages: Number(response.headers.get('X-WP-TotalPages') ?? 1) }
  }
  return body
}
