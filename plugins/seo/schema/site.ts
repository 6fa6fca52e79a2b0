import { type ExtensionHost, type PageContext, plainText, toLanguage } from 'pentad'
import { imageOfAttachment } from '../head/images.ts'
import { siteName } from '../head/site-name.ts'
import type { SeoSettings } from '../settings.ts'
import type { SchemaThing } from './types.ts'

type Host = Pick<ExtensionHost, 'content' | 'pageData' | 'site'>

/** Names of things on every page. */
export const websiteId = (siteUrl: string) => `${siteUrl}/#website`
export const publisherId = (siteUrl: string) => `${siteUrl}/#publisher`

/** The website: search engines use its name in results. */
export function websiteThing(host: Host): SchemaThing {
  const { description, language } = host.content.siteSettings()
  const { url } = host.site
  return {
    '@type': 'WebSite',
    '@id': websiteId(url),
    url: `${url}/`,
    name: siteName(host),
    description: plainText(description) || undefined,
    inLanguage: toLanguage(language),
    publisher: { '@id': publisherId(url) },
  }
}

/** The organization or person that owns the site. */
export async function publisherThing(host: Host, settings: SeoSettings, page: PageContext): Promise<SchemaThing> {
  const { url } = host.site
  const { schemaType, organizationName, personName, socialProfiles, xAccount } = settings
  const own = schemaType === 'Person' ? personName : organizationName
  const image = await logoThing(host, settings, page)
  const profiles = [...new Set([...socialProfiles, ...(xAccount === '' ? [] : [`https://x.com/${xAccount}`])])]
  return {
    '@type': schemaType,
    '@id': publisherId(url),
    name: own || siteName(host),
    url: `${url}/`,
    ...(schemaType === 'Person' ? { image } : { logo: image }),
    sameAs: profiles.length > 0 ? profiles : undefined,
  }
}

async function logoThing(host: Host, { logo }: SeoSettings, page: PageContext): Promise<SchemaThing | undefined> {
  const { siteLogo, siteIcon } = host.content.siteSettings()
  for (const id of [logo, siteLogo ?? 0, siteIcon]) {
    const image = await imageOfAttachment(host, page, id)
    if (image) return imageThing(image, `${host.site.url}/#logo`)
  }
  return undefined
}

/** An image without its size: schema.org expects a unit there, and search engines read the file. */
export function imageThing({ url, alt }: { readonly url: string; readonly alt: string }, id: string): SchemaThing {
  return { '@type': 'ImageObject', '@id': id, url, contentUrl: url, caption: alt || undefined }
}
