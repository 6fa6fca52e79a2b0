import { type ExtensionHost, plainText } from 'pentad'

/** The site title as plain text; the host if there is none, so it is never empty. */
export function siteName({ content, site }: Pick<ExtensionHost, 'content' | 'site'>): string {
  return plainText(content.siteSettings().title) || new URL(site.url).host
}
