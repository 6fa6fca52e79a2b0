import type { ExtensionHost, PageContext } from 'pentad'
import type { SpeedSettings } from '../settings.ts'
import type { AssetStore } from './assets/store.ts'
import { type Policy, readPolicies } from './html/content-policy.ts'
import type { HtmlDocument } from './html/document.ts'
import type { PageWork } from './transform.ts'

/** Creates the tools of a transform for one page. */
export function createPageWork(parts: {
  host: ExtensionHost
  settings: SpeedSettings
  assets: AssetStore
  page: PageContext
  document: HtmlDocument
  scriptNonce: string
}): PageWork {
  const { host, settings, assets, page, document, scriptNonce } = parts
  const query = page.request.query.toString()
  const site = new URL(host.site.url)
  const url = `${host.site.url}${page.request.path}${query && `?${query}`}`
  const written = document.allWithProtected('base').find(({ attributes }) => attributes.has('href'))
  const base = URL.parse(written?.attributes.get('href') ?? '', url)
  /** Several transforms resolve the same addresses. */
  const resolved = new Map<string, URL | undefined>()
  let policies: readonly Policy[] | undefined

  return {
    settings,
    scriptNonce,
    origin: site.origin,
    get policies() {
      policies ??= readPolicies(document, host.hooks.applyFilters('wp_headers', {}, page))
      return policies
    },
    resolve(address) {
      const known = resolved.get(address)
      if (known || resolved.has(address)) return known
      const found = URL.parse(address.trim(), base?.href) ?? undefined
      resolved.set(address, found)
      return found
    },
    isExcluded: (text) => settings.optimizationExclusions.some((part) => text.includes(part)),
    asset: (request) => assets.want(request, url) ?? undefined,
    // A page with a `<base>` on another origin needs an absolute URL.
    assetUrl: (asset) => (base?.origin === site.origin ? asset.url : host.site.url + asset.url),
  }
}
