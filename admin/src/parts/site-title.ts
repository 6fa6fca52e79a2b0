import { useRead } from '../api/query.ts'
import type { Responses } from '../api/responses.ts'
import { pageData } from '../page-data.ts'

/** Route of the site settings. */
export const SETTINGS = 'wp/v2/settings'

/** The title of the site, also after it was changed on this page; its URL if it has none. */
export function useSiteTitle(): string {
  const { data } = useRead<Responses['Settings']>(SETTINGS, undefined, { enabled: false })
  return (data ?? pageData.site).title || pageData.site.url
}
