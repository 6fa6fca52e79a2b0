import { RestError, type RestRequest, RestResponse, success } from 'pentad'
import type { Carts } from './cart/carts.ts'

/** Parameter of the cart page that says which message it shows. */
export const NOTICE = 'store_notice'

/** What a route did. */
interface Outcome<Data> {
  readonly data: Data
  readonly status?: number
  readonly cookies: readonly string[]
  /** Which message the cart page shows. */
  readonly notice?: string
}

/** Answers a program with JSON, and the form of a page by leading to the cart page, which shows what was refused too. */
export async function answerForm<Data>(
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

/** A refusal as the cart page is told of it. @throws anything else */
function noticeOf(error: unknown): Pick<Outcome<never>, 'cookies' | 'notice'> {
  if (error instanceof RestError) return { cookies: [], notice: error.code }
  throw error
}
