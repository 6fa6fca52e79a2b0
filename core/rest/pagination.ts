import { z } from 'zod'
import { RestResponse, success } from './response.ts'

/** `page` from 1 and `perPage` 1 to 100 (contract 1): spread its shape into a route's input. */
export const paginationSchema = z.object({
  page: z.int().min(1).default(1).describe('Current page of the list.'),
  perPage: z.int().min(1).max(100).default(10).describe('Number of items per page.'),
})

export type Pagination = z.output<typeof paginationSchema>

/**
 * One page of a list as the services and `host/v1` answer it: `data: { items, total, pages, page, perPage }` with the
 * headers `X-WP-Total` and `X-WP-TotalPages`.
 *
 * @param items those of the page, empty past the last one
 * @param beside what else stands in `data`
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
