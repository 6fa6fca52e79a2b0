import type { Hooks } from '../../../core/hooks/types.ts'
import { isPlainObject } from '../../../core/options/json.ts'
import type { SiteSettings } from '../types.ts'

/** The logo and icon of the site in the REST index; embeddable, as in WordPress. */
export function describeSiteImages(
  hooks: Pick<Hooks, 'addFilter'>,
  siteSettings: () => Pick<SiteSettings, 'siteLogo' | 'siteIcon'>,
  url: (route: string) => string,
): void {
  hooks.addFilter('rest_index', ({ _links, ...index }) => {
    const { siteLogo, siteIcon } = siteSettings()
    const links = isPlainObject(_links) ? _links : {}
    const images = { site_logo: siteLogo ?? 0, site_icon: siteIcon }
    return { ...index, ...images, _links: { ...links, ...imageLinks(images, url) } }
  })
}

function imageLinks(images: Readonly<Record<string, number>>, url: (route: string) => string): Record<string, unknown> {
  const links = Object.entries(images).flatMap(([type, id]) =>
    id ? [{ embeddable: true, type, href: url(`/wp/v2/media/${id}`) }] : [],
  )
  if (links.length === 0) return {}
  const curies = [{ name: 'wp', href: 'https://api.w.org/{rel}', templated: true }]
  return { 'wp:featuredmedia': links, curies }
}
