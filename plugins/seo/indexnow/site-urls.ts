/** Characters of a URL; longer ones no search engine takes. */
const LONGEST = 2048

/**
 * URLs as they are submitted: on the site's own origin, whichever of http and https they name, without fragments, host
 * names in ASCII, each once. Paths are of this site.
 *
 * @returns `foreign`: those that are no address of this site, as they came
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
