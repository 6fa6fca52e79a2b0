import { RestError, type RestRequest, RestResponse, success } from 'pentad'
import type { Carts } from './cart/carts.ts'

/** Query parameter of the cart page with the notice to show. */
export const NOTICE = 'store_notice'

/** Result of a route. */
interface Outcome<Data> {
  readonly data: Data
  readonly status?: number
  readonly cookies: readonly string[]
  /** The notice for the cart page. */
  readonly notice?: string
}

/** Returns JSON to API clients, and redirects form submissions to the cart page, which also shows errors. */
export async function handleForm<Data>(
  { headers }: Pick<RestRequest, 'headers'>,
  carts: Pick<Carts, 'path'>,
  work: () => Promise<Outcome<Data>>,
): Promise<RestResponse<ReturnType<typeof success<Data>> | null>> {
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false
  const cartPath = isForm ? await carts.path() : undefined
  if (cartPath === undefined) {
    const { data, status = 200, cookies } = await work()
    return new RestResponse(success(data), { status, headers: { 'Set-Cookie': [...cookies] } })
  }
  const { cookies, notice } = await work().catch(noticeOf)
  const query = notice === undefined ? '' : `?${NOTICE}=${encodeURIComponent(notice)}`
  const headersToCart = { Location: `${cartPath}${query}`, 'Set-Cookie': [...cookies] }
  return new RestResponse(null, { status: 303, headers: headersToCart })
}

/** An error as a notice of the cart page. @throws any other error */
function noticeOf(error: unknown): Pick<Outcome<never>, 'cookies' | 'notice'> {
  if (error instanceof RestError) return { cookies: [], notice: error.code }
  throw error
}
