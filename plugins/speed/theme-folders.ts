import { join } from 'node:path'

/** Themes that come with the product. */
export const PRODUCT_THEMES = join(import.meta.dirname, '../../themes')

/** The site's own themes; the folder may not exist. */
export function ownThemes(siteDir: string): string {
  return join(siteDir, 'themes')
}
