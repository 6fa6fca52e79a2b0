import { inMeta } from '../addresses.ts'
import { sanitizeTitle } from '../slug.ts'
import { authorElement, CLOSING, openingElements, type SkipMeta, termElement } from './elements.ts'
import './hooks.ts'
import { createItems, isInternal } from './items.ts'
import { createSelection } from './selection.ts'
import type { ExportFilter, ExportParts, WxrExport } from './types.ts'

export type { ExportFilter, ExportParts, WxrExport } from './types.ts'

/** Users or terms read per query. */
const BATCH = 500

/**
 * Exports content like WordPress's Tools → Export. Text is written as stored, except that URLs of former addresses of the site are replaced
 * by the current one, because WordPress's importer maps only that. Streams: only a few posts are in memory at a time. Excludes passwords,
 * sessions, settings, edit locks and spam; without a filter, includes all types and statuses except revisions and auto-drafts. Characters
 * that XML does not allow are removed. https://developer.wordpress.org/reference/functions/export_wp/
 */
export async function openWxrExport(parts: ExportParts, filter: ExportFilter = {}): Promise<WxrExport> {
  const { content, users, database, hooks, config } = parts
  await hooks.doActionAsync('export_wp', filter)
  const selection = createSelection(database, filter)
  const current = content.currentAddresses
  const skip: SkipMeta = (key, value) => hooks.applyFilters('wxr_export_skip_termmeta', isInternal(key), key, value)

  async function* opening(): AsyncGenerator<string> {
    yield openingElements(content.siteSettings(), config.url)
    for (const ids of batches(await selection.authorIds()))
      for (const user of (await users.getMany(ids)).values()) yield authorElement(user)
    for (const ids of batches(await selection.termIds())) {
      const terms = await content.terms.getMany(ids)
      const parents = await content.terms.getMany([...terms.values()].map(({ parentId }) => parentId))
      const metas = await content.meta.of('term', ids)
      for (const id of ids) {
        const term = terms.get(id)
        if (!term) continue
        const parent = parents.get(term.parentId)?.slug ?? ''
        yield termElement(
          { ...term, description: current(term.description) },
          parent,
          inMeta(metas.get(id) ?? {}, current),
          skip,
        )
      }
    }
  }

  const items = createItems(parts, selection, filter.comments ?? true)
  return { total: await selection.count(), opening, items, closing: CLOSING }
}

/** Yields the file in chunks. @param onItem receives the number of items started so far */
export async function* writeWxr(wxr: WxrExport, onItem?: (count: number) => void): AsyncGenerator<string> {
  yield* wxr.opening()
  let count = 0
  for await (const item of wxr.items()) {
    onItem?.(++count)
    yield* item
  }
  yield wxr.closing
}

/** File name of an export as in WordPress: `my-site.WordPress.2026-01-31.xml`. */
export function exportFileName(title: string, now = new Date()): string {
  const site = sanitizeTitle(title, '').replace(/[^a-z0-9_-]/g, '')
  return `${site === '' ? '' : `${site}.`}WordPress.${now.toISOString().slice(0, 10)}.xml`
}

function batches(ids: readonly number[]): number[][] {
  return Array.from({ length: Math.ceil(ids.length / BATCH) }, (_, at) => ids.slice(at * BATCH, (at + 1) * BATCH))
}
