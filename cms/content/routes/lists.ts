import { RestResponse } from '../../../core/rest/response.ts'
import type { IncomingRequest } from '../../../core/rest/types.ts'
import { pageLinks } from '../../rest/page-links.ts'
import { totals } from '../../rest/pagination.ts'

/** One page of a list with WordPress's headers: `X-WP-Total`, `X-WP-TotalPages`, `Link`. */
export function listResponse<Item>(
  request: Pick<IncomingRequest, 'query'>,
  list: { url: string; items: readonly Item[]; total: number; page: number; perPage: number },
): RestResponse<readonly Item[]> {
  const pages = Math.ceil(list.total / list.perPage)
  const links = pageLinks(list.url, request.query, list.page, pages)
  return new RestResponse(list.items, {
    headers: { ...totals(list.total, pages), ...(links !== undefined && { Link: links }) },
  })
}
