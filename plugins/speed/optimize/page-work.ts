import type { ExtensionHost, PageContext } from 'pentad'
import type { SpeedSettings } from '../settings.ts'
import { type Policy, policiesInHeaders, readPolicies } from './html/content-policy.ts'
import type { HtmlDocument } from './html/document.ts'
import { memoize } from './memoize.ts'
import type { PageInputs } from './page-inputs.ts'
import type { PageWork } from './transform.ts'

/** Addresses that do not depend on the path of the page. */
const ABSOLUTE = /^(?:https?:\/)?\//i
/** Addresses that do not depend on the page, because they have a scheme other than its own. */
const OTHER_SCHEME = /^(?!https?:)[a-z][a-z\d+.-]*:/i
/** Maximum size of known addresses, in characters. */
const MOST_CHARACTERS = 500_000

/** Resolves URLs; `undefined` if one is invalid. */
export type ResolveUrl = (address: string, base: URL | null) => Readonly<URL> | undefined

/**
 * Pages of a site contain the same addresses, so those that do not depend on the page are resolved once.
 * @param origin of the site
 */
export function createResolveUrl(origin: string): ResolveUrl {
  const resolveOnce = memoize((address) => ({ url: URL.parse(address, origin) ?? undefined }), MOST_CHARACTERS)
  return (address, base) =>
    base?.origin === origin && ABSOLUTE.test(address)
      ? resolveOnce(address).url
      : (URL.parse(address, base?.href) ?? undefined)
}

/** Creates the tools of a transform for one page. */
export function createPageWork(parts: {
  host: ExtensionHost
  settings: SpeedSettings
  inputs: PageInputs
  /** Origin of the site. */
  origin: string
  /** Reads the URL of the page as one of its inputs. */
  readUrl: () => string
  document: HtmlDocument
  page: Pick<PageContext, 'scriptNonce'>
  resolveUrl: ResolveUrl
}): PageWork {
  const { host, settings, inputs, origin, readUrl, document, page, resolveUrl } = parts
  const written = document.allWithProtected('base').find(({ attributes }) => attributes.has('href'))
  const isOfPage = (address: string) => !ABSOLUTE.test(address) && !OTHER_SCHEME.test(address)
  const own = URL.parse(origin)
  const base = written ? URL.parse(written.attributes.get('href') ?? '', readUrl()) : own
  let policies: readonly Policy[] | undefined

  return {
    settings,
    scriptNonce: page.scriptNonce,
    origin,
    get policies() {
      policies ??= readPolicies(
        document,
        inputs.read('policies', (page) => policiesInHeaders(host.hooks.applyFilters('wp_headers', {}, page))),
      )
      return policies
    },
    resolve(address) {
      const trimmed = address.trim()
      return resolveUrl(trimmed, written || !isOfPage(trimmed) ? base : URL.parse(readUrl()))
    },
    isExcluded: (text) => settings.optimizationExclusions.some((part) => text.includes(part)),
    asset: inputs.asset,
    read: inputs.read,
    // A page with a `<base>` on another origin needs an absolute URL.
    assetUrl: (asset) => (base?.origin === origin ? asset.url : host.site.url + asset.url),
  }
}
