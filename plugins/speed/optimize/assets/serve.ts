import type { ExtensionHost, PageContext } from 'pentad'
import { ASSETS_PATH, type AssetStore } from './store.ts'

/** Path of an asset below the uploads folder, with a content hash. */
const OURS = /^speed\/assets\/[a-z0-9-]+-[0-9a-f]{16}\.(\w+)$/

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  webp: 'image/webp',
  avif: 'image/avif',
  woff2: 'font/woff2',
  woff: 'font/woff',
  ttf: 'font/ttf',
  otf: 'font/otf',
}

/**
 * Serves assets as immutable, since names contain a content hash. Pages cached by a CDN or browser may reference a
 * removed asset; such requests are redirected to its source.
 */
export function registerAssetFiles(host: ExtensionHost, assets: AssetStore): void {
  host.hooks.addFilter('upload_headers', (headers, path) => {
    const type = TYPES[OURS.exec(path)?.[1] ?? '']
    if (!type) return headers
    return {
      'Content-Type': type,
      'Cache-Control': 'public, max-age=31536000, immutable',
      'X-Content-Type-Options': 'nosniff',
      // Fonts and module scripts are fetched across origins when a CDN serves them.
      'Access-Control-Allow-Origin': '*',
    }
  })
  async function redirectToSource(page: PageContext): Promise<void> {
    await assets.ready
    // Existing files are served before this point.
    const source = assets.sourceOf(page.request.path.slice(ASSETS_PATH.length))
    if (source) page.respond({ status: 302, headers: { Location: source, 'Cache-Control': 'no-store' } })
  }
  // Without a promise for all other pages.
  host.hooks.addAction('template_redirect', (page) =>
    page.request.path.startsWith(ASSETS_PATH) ? redirectToSource(page) : undefined,
  )
}
