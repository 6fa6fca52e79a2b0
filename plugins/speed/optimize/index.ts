import { setImmediate } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { ExtensionHost, PageContext, Scripts, Settings } from 'pentad'
import type { settingsSchema } from '../settings.ts'
import type { Optimizer } from '../types.ts'
import { registerAssetFiles } from './assets/serve.ts'
import { createAssets } from './assets/store.ts'
import { createCriticalThread } from './css/critical-thread.ts'
import { createLocalFiles } from './files/local-files.ts'
import { type HtmlDocument, parseHtml } from './html/document.ts'
import { UnreasonablePage } from './html/elements.ts'
import { createPageWork } from './page-work.ts'
import { createTransforms } from './transforms.ts'

/** A page with this parameter is left as it is, to see whether the optimiser is to blame for something. */
const SAFE_MODE = 'nospeed'

/** Characters. Pages beyond are left as they are: reading them would hold up everybody else. */
const LONGEST_PAGE = 1_000_000
/** Characters. While a page beyond is worked on, others get their turn after each transform. */
const LONG_PAGE = 100_000
/** After the `page_html` filters of everybody who adds to the page. */
const PRIORITY = 1000

/**
 * Rewrites public pages as they are rendered, after everything else that filters `page_html`.
 *
 * It leaves alone: feeds, previews, anything without a whole `<html>…</html>`, AMP pages, pages that are nested more
 * deeply or have more elements than any that somebody wrote, pages asked for with `?nospeed`, elements with
 * `data-no-optimize` and all within them, and what the setting `optimizationExclusions` names.
 *
 * @param parts.refresh renders cached pages anew for the visitors after the next one; gets absolute URLs
 */
export function createOptimizer(
  host: ExtensionHost,
  settings: Settings<typeof settingsSchema>,
  parts: { scripts: Scripts; refresh: (urls: readonly string[]) => void },
): Optimizer {
  const assets = createAssets(host, parts.refresh)
  registerAssetFiles(host, assets)
  const files = createLocalFiles(host)
  const thread = createCriticalThread()
  const transforms = createTransforms(host, { thread, findLocalFile: files.find, scripts: parts.scripts })
  const applied = new LRUCache<string, readonly string[]>({ max: 1000 })

  async function optimize(html: string, page: PageContext): Promise<string> {
    if (html.length > LONGEST_PAGE || page.feed || page.preview || page.request.query.has(SAFE_MODE)) return html
    const current = settings.get()
    const wanted = transforms.filter(({ isOn }) => isOn(current))
    if (wanted.length === 0) return html
    let document = readPage(html)
    if (!document) return html
    await assets.ready
    const names = new Set<string>()
    for (const transform of wanted) {
      try {
        const work = createPageWork({ host, settings: current, assets, page, document })
        const result = (await transform.run(document, page, work)) ?? document.toString()
        if (result !== document.source) names.add(transform.name)
        // The next one gets it without the edits, also where nothing came of them.
        if (result !== document.source || document.isEdited) document = parseHtml(result)
      } catch (error) {
        const { path, id } = page.request
        host.log.error({ err: error, transform: transform.name, path, requestId: id }, 'a page could not be optimised')
        document = parseHtml(document.source)
      }
      if (html.length > LONG_PAGE) await setImmediate()
    }
    if (names.size > 0) applied.set(page.request.id, [...names])
    return document.source
  }

  host.hooks.addFilter('page_html', (html, page) => files.forPage(() => optimize(html, page)), PRIORITY)
  host.hooks.addFilter('wp_headers', (headers, page) =>
    page.request.query.has(SAFE_MODE) ? { ...headers, 'Cache-Control': 'private, no-store' } : headers,
  )

  return {
    assets,
    appliedTo(requestId) {
      const names = applied.get(requestId) ?? []
      applied.delete(requestId)
      return names
    },
    async close() {
      await assets.close()
      await thread.close()
    },
  }
}

/** `undefined` for what stays as it is. */
function readPage(html: string): HtmlDocument | undefined {
  try {
    const document = parseHtml(html)
    return isWholePage(document) ? document : undefined
  } catch (error) {
    if (error instanceof UnreasonablePage) return undefined
    throw error
  }
}

/** Whether it is a page of HTML that was not cut off, and no AMP page, which may hold nothing of ours. */
function isWholePage({ elements, source }: HtmlDocument): boolean {
  const root = elements.find(({ name }) => name === 'html')
  if (!root || root.parent || root.isProtected || root.contentEnd === source.length) return false
  return !root.attributes.has('amp') && !root.attributes.has('⚡')
}
