import type { ExtensionHost, PageContext } from 'pentad'
import type { SpeedSettings } from '../settings.ts'
import type { AssetStore } from './assets/store.ts'
import type { HtmlDocument } from './html/document.ts'
import type { PageWork } from './transform.ts'

/** Creates the tools of a transform for one page. */
export function createPageWork(parts: {
  host: ExtensionHost
  settings: SpeedSettings
  assets: AssetStore
  page: PageContext
  document: HtmlDocument
}): PageWork {
  const { host, settings, assets, page, document } = parts
  const query = page.request.query.toString()
  const url = `${host.site.url}${page.request.path}${query && `?${query}`}`
  const written = document.elements.find(({ name, attributes }) => name === 'base' && attributes.has('href'))
  const base = resolve(written?.attributes.get('href') ?? '', url)

  function resolve(address: string, from: string | undefined = base?.href): URL | undefined {
    return URL.canParse(address, from) ? new URL(address, from) : undefined
  }

  return {
    settings,
    origin: new URL(host.site.url).origin,
    resolve: (address) => resolve(address.trim()),
    isExcluded: (text) => settings.optimizationExclusions.some((part) => text.includes(part)),
    asset: (request) => assets.want(request, url) ?? undefined,
    // A page with a `<base>` on another origin needs an absolute URL.
    assetUrl: (asset) => (base?.origin === new URL(url).origin ? asset.url : host.site.url + asset.url),
  }
}
