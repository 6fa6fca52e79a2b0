import type { ExtensionHost } from 'pentad'
import type { SeoSettings } from '../settings.ts'

/** Characters of the site's own key, of the 128 that the protocol allows. */
const LENGTH = 32

/** What proves to search engines that pages are this site's: a key, and a file that says the same. */
export interface KeyFile {
  key(): string
  /** Absolute URL of the file: at the root, so that it counts for all pages. */
  url(): string
}

/**
 * Serves the key at `/{key}.txt`, with nothing but the key in it. The site's own key is always the same and stored
 * nowhere; typing one takes its place.
 */
export function serveKeyFile(
  { hooks, site }: Pick<ExtensionHost, 'hooks' | 'site'>,
  settings: () => SeoSettings,
): KeyFile {
  const own = site.key('indexnow').toString('hex').slice(0, LENGTH)
  const key = () => settings().indexNowKey || own

  hooks.addAction('template_redirect', (page) => {
    if (page.answered || page.request.path !== `/${key()}.txt`) return
    const headers = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-cache' }
    page.respond({ headers: { ...headers, 'X-Robots-Tag': 'noindex' }, body: key() })
  })

  return { key, url: () => `${site.url}/${key()}.txt` }
}
