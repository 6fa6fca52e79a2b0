import { paginated, paginatedSchema, paginationSchema, type Route } from 'pentad'
import { z } from 'zod'
import type { Preload } from '../preload/index.ts'
import { type Assets, cachedPageShape, optimizedAssetShape, type PageCache, preloadShape } from '../types.ts'

const pagesInput = paginationSchema.extend({
  search: z.string().max(200).optional().describe('Limits the list to pages whose URL contains this text.'),
  status: z.enum(['fresh', 'stale']).optional().describe('Limits the list to fresh or stale pages.'),
})

const assetsInput = paginationSchema.extend({
  type: z.enum(['css', 'js', 'image', 'font']).optional().describe('Limits the list to files of this type.'),
  search: z.string().max(200).optional().describe('Limits the list to files whose URL contains this text.'),
})

/** `GET /optimized-pages/fetch`: cached pages, most visited first, and preload progress. */
export function optimizedPages(cache: PageCache, preload: Preload): Route<typeof pagesInput> {
  return {
    method: 'GET',
    path: '/optimized-pages/fetch',
    access: 'manage_options',
    summary: 'Lists cached pages with the progress of the preload.',
    input: pagesInput,
    response: paginatedSchema(cachedPageShape, { preload: preloadShape }),
    handler({ input }) {
      const { search = '', status } = input
      const wanted = search.toLowerCase()
      const found = [...cache.list()].filter(
        (page) => (status === undefined || page.status === status) && page.url.toLowerCase().includes(wanted),
      )
      const pages = found.sort((one, other) => other.hits - one.hits || compare(one, other))
      return onePage(pages, input, { preload: preload.progress() })
    },
  }
}

/** `GET /optimized-assets/fetch`: optimized files, sorted by URL. */
export function optimizedAssets(assets: Assets): Route<typeof assetsInput> {
  return {
    method: 'GET',
    path: '/optimized-assets/fetch',
    access: 'manage_options',
    summary: 'Lists optimized CSS, JavaScript, image, and font files.',
    input: assetsInput,
    response: paginatedSchema(optimizedAssetShape),
    handler({ input }) {
      const { type, search = '' } = input
      const wanted = search.toLowerCase()
      const files = [...assets.list()]
        .filter((file) => (type === undefined || file.type === type) && file.url.toLowerCase().includes(wanted))
        .sort(compare)
      return onePage(files, input)
    },
  }
}

function onePage(
  all: readonly object[],
  input: z.output<typeof paginationSchema>,
  extra: Record<string, unknown> = {},
) {
  const { page, perPage } = input
  return paginated(all.slice((page - 1) * perPage, page * perPage), all.length, input, extra)
}

function compare(one: { readonly url: string }, other: { readonly url: string }): number {
  return one.url < other.url ? -1 : one.url > other.url ? 1 : 0
}
