/** Maximum length of a URL that search engines accept. */
const LONGEST = 2048

/**
 * Normalizes URLs for submission: with the origin of the site, for http or https input, without fragments, with ASCII
 * host names, without duplicates. Paths are resolved against the site.
 * @returns `foreign`: URLs that do not belong to this site, as given
 */
export function readSiteUrls(
  texts: readonly string[],
  siteUrl: string,
): { readonly urls: readonly string[]; readonly foreign: readonly string[] } {
  const site = new URL(siteUrl)
  const urls = new Set<string>()
  const foreign: string[] = []
  for (const text of texts) {
    const url = readSiteUrl(text.trim(), site)
    if (url === undefined) foreign.push(text)
    else urls.add(url)
  }
  return { urls: [...urls], foreign }
}

function readSiteUrl(text: string, site: URL): string | undefined {
  if (!/^(?:https?:\/\/|\/(?![/\\]))/i.test(text)) return undefined
  const url = URL.parse(text, site.href)
  if (url === null || url.host !== site.host || url.username + url.password !== '') return undefined
  const own = `${site.origin}${url.pathname}${url.search}`
  return own.length <= LONGEST ? own : undefined
}
