import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ExtensionHost, RenderedResponse } from 'pentad'
import { pathOf } from './page-address.ts'
import type { PageStore } from './page-store.ts'

/** Before callbacks that allow shared caches to store public pages, which have the priority 1000. */
const BEFORE_LIFETIMES = 999
/** After the last callback that takes time. */
const AFTER_OPTIMIZER = Number.MAX_SAFE_INTEGER

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

interface PassedRequest {
  /** Whether there may be purges that this process does not know. */
  isUnknown: boolean
  readonly begun: ReturnType<PageStore['now']> & { readonly path: string }
}

export function createPassedPages(
  { hooks, front, site }: Pick<ExtensionHost, 'hooks' | 'front' | 'site'>,
  store: Pick<PageStore, 'now' | 'isOutdated' | 'follow'>,
): PassedPages {
  const passed = new AsyncLocalStorage<PassedRequest | undefined>()
  // The filter of headers cannot wait for purges by other processes.
  hooks.addFilter(
    'page_html',
    (html) => {
      const request = passed.getStore()
      if (!request) return html
      return store.follow().then((isKnown) => {
        if (!isKnown) request.isUnknown = true
        return html
      })
    },
    AFTER_OPTIMIZER,
  )
  hooks.addFilter(
    'wp_headers',
    (headers, { tags }) => {
      const request = passed.getStore()
      if (!request) return headers
      // It was rendered by the current code.
      const isOutdated = request.isUnknown || store.isOutdated({ ...request.begun, tags: ['site', ...tags] })
      return isOutdated ? { ...headers, 'Cache-Control': 'private, no-store' } : headers
    },
    BEFORE_LIFETIMES,
  )

  return {
    pass(request, response, isUnknown = false) {
      const path = pathOf(request.url ?? '', site.url) ?? ''
      passed.run({ isUnknown, begun: { ...store.now(), path } }, () => front.pass(request, response))
    },
    // A page that is being passed may cause it.
    render: (path) => passed.run(undefined, () => front.render(path)),
  }
}
