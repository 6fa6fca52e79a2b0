import { setImmediate } from 'node:timers/promises'
import { getHeapStatistics } from 'node:v8'
import { LRUCache } from 'lru-cache'
import type { ExtensionHost, PageContext, Scripts, Settings } from 'pentad'
import { note } from '../rendering-notes.ts'
import type { SpeedSettings, settingsSchema } from '../settings.ts'
import type { Optimizer } from '../types.ts'
import { registerAssetFiles } from './assets/serve.ts'
import { createAssets } from './assets/store.ts'
import { createCriticalThread } from './css/critical-thread.ts'
import { createLocalFiles } from './files/local-files.ts'
import { createParseHtml, type HtmlDocument } from './html/document.ts'
import { PageTooComplex } from './html/fragment.ts'
import { createPageInputs, type RecordedInputs } from './page-inputs.ts'
import { createPageWork, createResolveUrl } from './page-work.ts'
import { createTransforms } from './transforms.ts'

/** Query parameter that turns optimization off, for troubleshooting. */
const SAFE_MODE = 'nospeed'

/** Longest page that is optimized, in characters: longer ones would block other requests. */
const LONGEST_PAGE = 1_000_000
/** Page length in characters from which the event loop gets a turn after each transform. */
const LONG_PAGE = 100_000
/** After other `page_html` filters. */
const PRIORITY = 1000
/** Maximum size of the pages that are known with their optimized form, in characters: less if the process has little memory. */
const MOST_CHARACTERS = Math.min(6_000_000, getHeapStatistics().heap_size_limit / 64)

/** The place of missing pages; no URL. */
const MISSING = ''

/** A page that is optimized again only when one of these differs. */
interface OptimizedPage {
  /** Before. */
  readonly source: string
  readonly settings: SpeedSettings
  readonly inputs: RecordedInputs
  /** Afterward. */
  readonly result: string
  /** Names of the settings that changed it. */
  readonly names: readonly string[]
}

/**
 * Optimizes public pages as they are rendered, after all other filters of `page_html`.
 *
 * Not optimized: feeds, previews, anything without a complete `<html>…</html>`, AMP pages, excessively complex pages,
 * pages requested with `?nospeed`, elements with `data-no-optimize` and their content, and anything matched by the
 * setting `optimizationExclusions`.
 *
 * @param parts.finished receives absolute URLs of pages whose assets are finished, and whether these pages should be re-rendered
 */
export function createOptimizer(
  host: ExtensionHost,
  settings: Settings<typeof settingsSchema>,
  parts: { scripts: Scripts; finished: (urls: readonly string[], areChanged: boolean) => void },
): Optimizer {
  const assets = createAssets(host, parts.finished)
  registerAssetFiles(host, assets)
  const files = createLocalFiles(host)
  const thread = createCriticalThread()
  const parseHtml = createParseHtml()
  const { origin } = new URL(host.site.url)
  const resolveUrl = createResolveUrl(origin)
  const transforms = createTransforms(host, { thread, findLocalFile: files.find, scripts: parts.scripts })

  /** Pages as they were optimized last, by URL; missing pages, which are mostly the same, have one entry. */
  const latest = new LRUCache<string, OptimizedPage>({
    maxSize: MOST_CHARACTERS,
    sizeCalculation: ({ source, result }, place) => source.length + result.length + place.length,
  })

  async function optimize(html: string, page: PageContext): Promise<string> {
    if (html.length > LONGEST_PAGE || page.feed || page.preview || page.request.query.has(SAFE_MODE)) return html
    const current = settings.get()
    const place = page.status === 404 ? MISSING : addressOf(page)
    const known = latest.get(place)
    const isSame = known?.source === html && known.settings === current && (await isCurrent(known.inputs, page))
    const optimized = isSame ? known : await transformed(html, { page, place, current })
    if (!optimized) return html
    note({ optimizations: optimized.names })
    return optimized.result
  }

  async function isCurrent(inputs: RecordedInputs, page: PageContext): Promise<boolean> {
    try {
      return await inputs.areSame(page)
    } catch {
      // A filter failed; the transform that needs it reports it.
      return false
    }
  }

  /** `undefined` for pages that are not optimized. */
  async function transformed(
    source: string,
    { page, place, current }: { page: PageContext; place: string; current: SpeedSettings },
  ): Promise<Pick<OptimizedPage, 'result' | 'names'> | undefined> {
    const wanted = transforms.filter(({ isOn }) => isOn(current))
    const isMinified = current.minifyHtml === 'on'
    const original = wanted.length > 0 || isMinified ? readPage(source) : undefined
    if (!original) return undefined
    let document: HtmlDocument = original
    await assets.ready
    const names = new Set<string>()
    const url = addressOf(page)
    const inputs = createPageInputs({ page, url, assets, files })
    const readUrl = () => inputs.read('url', addressOf)
    const work = createPageWork({ host, settings: current, inputs, origin, readUrl, document, page, resolveUrl })
    let isComplete = true
    for (const transform of wanted) {
      try {
        await transform.run(document, work)
        const next = document.commit()
        if (next !== document) names.add(transform.name)
        document = next
      } catch (error) {
        const { path, id } = page.request
        host.log.error({ err: error, transform: transform.name, path, requestId: id }, 'page optimization failed')
        document.discard()
        isComplete = false
      }
      if (source.length > LONG_PAGE) await setImmediate()
    }
    if (isMinified && document.fragments.some(({ text, minified }) => minified !== text)) names.add('minifyHtml')
    const result = isMinified ? document.minified : document.source
    const optimized = { result, names: [...names] }
    const recorded = isComplete ? await inputs.finish() : undefined
    if (recorded) latest.set(place, { ...optimized, source, settings: current, inputs: recorded })
    return optimized
  }

  function addressOf({ request }: PageContext): string {
    const query = request.query.toString()
    return `${host.site.url}${request.path}${query && `?${query}`}`
  }

  /** `undefined` for pages that are not optimized. */
  function readPage(html: string): HtmlDocument | undefined {
    try {
      const document = parseHtml(html)
      return isCompletePage(document, html.length) ? document : undefined
    } catch (error) {
      if (error instanceof PageTooComplex) return undefined
      throw error
    }
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

/** Whether it is a complete HTML page and not an AMP page, which must not be changed. */
function isCompletePage(document: HtmlDocument, length: number): boolean {
  const [root] = document.allWithProtected('html')
  if (!root || root.parent || root.isProtected || root.contentEnd === length) return false
  return !root.attributes.has('amp') && !root.attributes.has('⚡')
}
