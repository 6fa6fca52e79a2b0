import type { ExtensionHost } from 'pentad'
import { ASSETS_PATH, type AssetStore } from './store.ts'

/** Below the uploads folder: a name as the store gives them, with the hash of its content. */
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
 * How assets are answered: for ever, since another content has another name. Pages that are kept elsewhere (a CDN, a
 * browser) may name an asset that was removed; such a request is sent to what the asset was made from.
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
  host.hooks.addAction('template_redirect', async (page) => {
    if (!page.request.path.startsWith(ASSETS_PATH)) return
    await assets.ready
    // A file that is there never comes so far.
    const source = assets.sourceOf(page.request.path.slice(ASSETS_PATH.length))
    if (source) page.respond({ status: 302, headers: { Location: source, 'Cache-Control': 'no-store' } })
  })
}
