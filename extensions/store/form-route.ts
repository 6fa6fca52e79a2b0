import {
  type AccessRequest,
  type ExtensionHost,
  isOwnForm,
  RestError,
  type RestRequest,
  RestResponse,
  success,
} from 'pentad'
import type { Carts } from './cart/carts.ts'

/** Bytes that a form of the shop may have. */
export const FORM_LIMIT = 32 * 1024

/** Parameter of the cart page that says which message it shows. */
export const NOTICE = 'store_notice'

/**
 * Lets in pages of this site, and programs, which have no visitor to harm. Forms of cached pages have no nonce, so another
 * site's page is recognised by what the browser says of it.
 */
export function fromThisSite({ site }: Pick<ExtensionHost, 'site'>): (request: AccessRequest) => boolean {
  return (request) => {
    if (isOwnForm(request, site.url)) return true
    throw new RestError('invalid_origin', 'Only pages of this site may do this.', { status: 403 })
  }
}

/** What a route did. */
interface Outcome {
  readonly data: unknown
  readonly status?: number
  readonly cookies: readonly string[]
  /** Which message the cart page shows. */
  readonly notice?: string
}

/** Answers a program with JSON, and the form of a page by leading to the cart page, which shows what was refused too. */
export async function answerForm(
  { headers }: Pick<RestRequest, 'headers'>,
  carts: Pick<Carts, 'path'>,
  work: () => Promise<Outcome>,
): Promise<RestResponse> {
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false
  const cartPath = isForm ? await carts.path() : undefined
  const toCart = (cookies: readonly string[], notice: string | undefined) => {
    const query = notice === undefined ? '' : `?${NOTICE}=${encodeURIComponent(notice)}`
    return new RestResponse(null, {
      status: 303,
      headers: { Location: `${cartPath}${query}`, 'Set-Cookie': [...cookies] },
    })
  }
  try {
    const { data, status = 200, cookies, notice } = await work()
    if (cartPath !== undefined) return toCart(cookies, notice)
    return new RestResponse(success(data), { status, headers: { 'Set-Cookie': [...cookies] } })
  } catch (error) {
    if (error instanceof RestError && cartPath !== undefined) return toCart([], error.code)
    throw error
  }
}
