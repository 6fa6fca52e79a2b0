import type { PageContext } from 'pentad'
import type { SpeedSettings } from '../settings.ts'
import type { Asset, AssetRequest } from './assets/store.ts'
import type { Policy } from './html/content-policy.ts'
import type { HtmlDocument } from './html/document.ts'

/** Tools of a transform for one page. */
export interface PageWork {
  readonly settings: SpeedSettings
  /** Origin of the site. */
  readonly origin: string
  /** Marks scripts that the optimizer adds: `page.scriptNonce`. */
  readonly scriptNonce: string
  /** Content security policies of the page. */
  readonly policies: readonly Policy[]
  /** Resolves a URL in the page, with `<base>`; `undefined` if it is invalid. Must not be changed. */
  resolve(address: string): Readonly<URL> | undefined
  /** Whether the `optimizationExclusions` setting matches this URL or inline code. */
  isExcluded(text: string): boolean
  /**
   * The optimized file, if it exists. Otherwise it is generated in the background, the page is served without it, and
   * is re-rendered when all its files are finished.
   */
  asset(request: AssetRequest): Asset | undefined
  /**
   * Reads something that may be different when the page is rendered again. Transforms get it only here, because a page is not optimized
   * again while its text, its settings, its files, and the values of these reads are the same.
   * @param name equal for reads that are the same
   * @param read returns a value that is comparable as JSON, or a promise of one
   */
  read<Value>(name: string, read: (page: PageContext) => Value): Value
  /** URL of an asset as the page must reference it. */
  assetUrl(asset: Pick<Asset, 'url'>): string
}

/**
 * An optimization of a page. To add one, write a function that returns a `Transform` and add it to the list in
 * `transforms.ts` at its position. Each transform gets the parsed result of the previous ones; its edits are discarded
 * if `run` fails. Slow work belongs in an asset (`work.asset`) or a worker thread.
 */
export interface Transform {
  /** Name of its setting, shown in the overview for pages that it changed. */
  readonly name: string
  isOn(settings: SpeedSettings): boolean
  /** Edits the document. */
  run(document: HtmlDocument, work: PageWork): void | Promise<void>
}
