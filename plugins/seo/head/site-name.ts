import { type ExtensionHost, plainText } from 'pentad'

/** The site's title as plain text; its host where it has none, so never empty. */
export function siteName({ content, site }: Pick<ExtensionHost, 'content' | 'site'>): string {
  return plainText(content.siteSettings().title) || new URL(site.url).host
}
