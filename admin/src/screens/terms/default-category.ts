import { useRead } from '../../api/query.ts'
import { can, pageData } from '../../page-data.ts'
import type { SiteSettings } from '../settings/site-settings.ts'

/** Id of the category that nobody can delete. Who may not read the settings has it as of when the page was opened. */
export function useDefaultCategory(): number {
  const { data } = useRead<SiteSettings>('wp/v2/settings', undefined, { enabled: can('manage_options') })
  return data?.default_category ?? pageData.site.defaultCategory
}
