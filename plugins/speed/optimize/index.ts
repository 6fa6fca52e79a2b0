import { setImmediate } from 'node:timers/promises'
import type { ExtensionHost, PageContext, Scripts, Settings } from 'pentad'
import { note } from '../rendering-notes.ts'
import type { settingsSchema } from '../settings.ts'
import type { Optimizer } from '../types.ts'
import { registerAssetFiles } from './assets/serve.ts'
import { createAssets } from './assets/store.ts'
import { createCriticalThread } from './css/critical-thread.ts'
import { createLocalFiles } from './files/local-files.ts'
import { type HtmlDocument, parseHtml } from './html/document.ts'
import { PageTooComplex } from './html/elements.ts'
import { createPageWork } from './page-work.ts'
import { createTransforms } from './transforms.ts'

/** Query parameter that turns optimization off, for troubleshooting. */
const SAFE_MODE = 'nospeed'

/** Longest page that is optimized, in characters: longer ones would block other requests. */
const LONGEST_PAGE = 1_000_000
/** Page length in characters from which the event loop gets a turn after each transform. */
const LONG_PAGE = 100_000
/** After other `page_html` filters. */
const PRIORITY = 1000

/**
 * Optimizes public pages as they are rendered, after all other filters of `page_html`.
 *
 * Not optimized: feeds, previews, anything without a complete `<html>…</html>`, AMP pages, excessively complex pages,
 * pages requested with `?nospeed`, elements with `data-no-optimize` and their content, and anything matched by the
 * setting `optimizationExclusions`.
 *
 * @param parts.refresh marks cached pages as stale; receives absolute URLs
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

  async function optimize(html: string, page: PageContext): Promise<string> {
    if (html.length > LONGEST_PAGE || page.feed || page.preview || page.request.query.has(SAFE_MODE)) return html
    const current = settings.get()
    const wanted = transforms.filter(({ isOn }) => isOn(current))
    if (wanted.length === 0) return html
    const original = readPage(html)
    if (!original) return html
    let document: HtmlDocument = original
    await assets.ready
    const names = new Set<string>()
    const work = createPageWork({ host, settings: current, assets, page, document })
    for (const transform of wanted) {
      try {
        const result = await transform.run(document, page, work)
        const next: HtmlDocument = result === undefined ? document.commit() : parseHtml(result)
        if (next.source !== document.source) names.add(transform.name)
        document = next
      } catch (error) {
        const { path, id } = page.request
        host.log.error({ err: error, transform: transform.name, path, requestId: id }, 'page optimization failed')
        document = document.discard()
      }
      if (html.length > LONG_PAGE) await setImmediate()
    }
    note({ optimizations: [...names] })
    return document.source
  }

  host.hooks.addFilter('page_html', (html, page) => files.forPage(() => optimize(html, page)), PRIORITY)
  host.hooks.addFilter('wp_headers', (headers, page) =>
    page.request.query.has(SAFE_MODE) ? { ...headers, 'Cache-Control': 'private, no-store' } : headers,
  )

  return {
    assets,
    async close() {
      await assets.close()
      await thread.close()
    },
  }
}

/** `undefined` for pages that are not optimized. */
function readPage(html: string): HtmlDocument | undefined {
  try {
    const document = parseHtml(html)
    return isCompletePage(document) ? document : undefined
  } catch (error) {
    if (error instanceof PageTooComplex) return undefined
    throw error
  }
}

/** Whether it is a complete HTML page and not an AMP page, which must not be changed. */
function isCompletePage({ elements, source }: HtmlDocument): boolean {
  const root = elements.find(({ name }) => name === 'html')
  if (!root || root.parent || root.isProtected || root.contentEnd === source.length) return false
  return !root.attributes.has('amp') && !root.attributes.has('⚡')
}
