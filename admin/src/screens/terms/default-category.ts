import { useRead } from '../../api/query.ts'
import { can, pageData } from '../../page-data.ts'
import type { SiteSettings } from '../settings/site-settings.ts'

/**
 * Id of the default category, which can't be deleted. Users who may not read the settings get the value from page load.
 */
export function useDefaultCategory(): number {
  const { data } = useRead<SiteSettings>('wp/v2/settings', undefined, { enabled: can('manage_options') })
  return data?.default_category ?? pageData.site.defaultCategory
}
