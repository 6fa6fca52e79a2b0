import type { PageContext } from 'pentad'
import type { SpeedSettings } from '../settings.ts'
import type { Asset, AssetWish } from './assets/store.ts'
import type { HtmlDocument } from './html/document.ts'

/** What a transform has at hand while it works on a page. */
export interface PageWork {
  readonly settings: SpeedSettings
  /** The site's own. */
  readonly origin: string
  /** Where an address written in the page leads, `<base>` considered; `undefined` if nowhere. */
  resolve(address: string): URL | undefined
  /** Whether an owner excluded it: `optimizationExclusions` names a part of this address or inline code. */
  isExcluded(text: string): boolean
  /**
   * The optimised file, if it is there. Otherwise it is made in the background, the page goes out as it is, and the
   * cache renders it anew when all files that it waits for are finished.
   */
  asset(wish: AssetWish): Asset | undefined
  /** How the page has to write the address of a file of this site, which is given from its root. */
  assetUrl(asset: Pick<Asset, 'url'>): string
}

/**
 * One way to make a page better. To add one: write a file with a function that answers a `Transform`, and put it into
 * the list in `transforms.ts` at its place in the order. Each gets the page as those before it left it, parsed; whatever it
 * edits is kept only if all of `run` succeeds. Slow work belongs into an asset (`work.asset`) or a worker thread.
 */
export interface Transform {
  /** Name of the setting that switches it, by which the overview tells that it changed a page. */
  readonly name: string
  isOn(settings: SpeedSettings): boolean
  /** Edits the document, or answers the page anew. */
  run(
    document: HtmlDocument,
    page: PageContext,
    work: PageWork,
  ): string | undefined | Promise<string | undefined> | void | Promise<void>
}
