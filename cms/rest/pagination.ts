import { z } from 'zod'
import { RestResponse, success } from '../../core/rest/response.ts'

/** Pagination parameters: `page` from 1 and `perPage` from 1 to 100. Spread its shape into a route's input. */
export const paginationSchema = z.object({
  page: z.int().min(1).default(1).describe('Current page of the list.'),
  perPage: z.int().min(1).max(100).default(10).describe('Number of items per page.'),
})

export type Pagination = z.output<typeof paginationSchema>

/**
 * One page of a list in the format of the services and `host/v1`: `data: { items, total, pages, page, perPage }`, with the
 * headers `X-WP-Total` and `X-WP-TotalPages`.
 *
 * @param items items of the page; empty beyond the last page
 * @param beside other members of `data`
 */
export function paginated<Item, Beside extends object = object>(
  items: readonly Item[],
  total: number,
  { page, perPage }: Pagination,
  beside?: Beside,
) {
  const pages = Math.ceil(total / perPage)
  const data = Object.assign({ items, total, pages, page, perPage }, beside)
  return new RestResponse(success(data), { headers: totals(total, pages) })
}

export function totals(total: number, pages: number): Record<string, string> {
  return { 'X-WP-Total': String(total), 'X-WP-TotalPages': String(pages) }
}
