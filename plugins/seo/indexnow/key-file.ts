import type { ExtensionHost } from 'pentad'
import type { SeoSettings } from '../settings.ts'

/** Length of the generated key; the protocol allows 128 characters. */
const LENGTH = 32

/** The key that proves ownership of the site, and its file. */
export interface KeyFile {
  key(): string
  /** Absolute URL of the file, at the root so that it covers all pages. */
  url(): string
}

/**
 * Serves the key at `/{key}.txt`. The generated key is derived, stable and not stored; a key in the settings replaces
 * it.
 */
export function serveKeyFile(
  { hooks, site }: Pick<ExtensionHost, 'hooks' | 'site'>,
  settings: () => SeoSettings,
): KeyFile {
  const own = site.key('indexnow').toString('hex').slice(0, LENGTH)
  const key = () => settings().indexNowKey || own

  hooks.addAction('template_redirect', (page) => {
    if (page.responded || page.request.path !== `/${key()}.txt`) return
    const headers = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-cache' }
    page.respond({ headers: { ...headers, 'X-Robots-Tag': 'noindex' }, body: key() })
  })

  return { key, url: () => `${site.url}/${key()}.txt` }
}
