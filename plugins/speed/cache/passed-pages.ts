import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ExtensionHost, RenderedResponse } from 'pentad'
import { pathOf } from './page-address.ts'
import type { PageStore } from './page-store.ts'

/** Before callbacks that allow shared caches to store public pages, which have the priority 1000. */
const BEFORE_LIFETIMES = 999

/** Renders pages with the application. */
export interface PassedPages {
  /**
   * Passes a request to the application. If a purge overtakes the page, shared caches must not store it: they may have processed the purge
   * already.
   *
   * @param isUnknown whether purges of other nodes are unknown
   */
  pass(request: IncomingMessage, response: ServerResponse, isUnknown?: boolean): void
  /** Renders a page for the page cache, which detects overtaking purges itself. */
  render(path: string): Promise<RenderedResponse>
}

export function createPassedPages(
  { hooks, front, site }: Pick<ExtensionHost, 'hooks' | 'front' | 'site'>,
  store: Pick<PageStore, 'now' | 'isOutdated'>,
): PassedPages {
  /** Whether the page with these tags, rendered by the current code, must not be stored. */
  const passed = new AsyncLocalStorage<((tags: readonly string[]) => boolean) | undefined>()
  hooks.addFilter(
    'wp_headers',
    (headers, page) =>
      passed.getStore()?.(['site', ...page.tags]) ? { ...headers, 'Cache-Control': 'private, no-store' } : headers,
    BEFORE_LIFETIMES,
  )

  return {
    pass(request, response, isUnknown = false) {
      const begun = store.now()
      const path = pathOf(request.url ?? '', site.url) ?? ''
      const isOutdated = (tags: readonly string[]) => isUnknown || store.isOutdated({ ...begun, path, tags })
      passed.run(isOutdated, () => front.pass(request, response))
    },
    // A page that is being passed may cause it.
    render: (path) => passed.run(undefined, () => front.render(path)),
  }
}
