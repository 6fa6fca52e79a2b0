import { getHeapStatistics } from 'node:v8'
import { LRUCache } from 'lru-cache'
import { readTrustedScripts } from './content-security-policy.ts'
import { type EncodedText, encodeText } from './send-response.ts'
import type { PageContext } from './types.ts'

/** Maximum size of known pages, in bytes: less if the process has little memory. */
const MOST_BYTES = Math.min(8 * 1024 * 1024, getHeapStatistics().heap_size_limit / 64)

/** A page without marks of scripts. */
export interface FinishedPage {
  readonly text: EncodedText
  /** Sources for `script-src`. */
  readonly sources: readonly string[]
}

/** Finishes the HTML of a page after all filters. */
export type FinishPage = (html: string, page: PageContext) => FinishedPage

/**
 * The last page at a URL is known with its finished form, because the next one is usually the same. Missing pages have one entry, because
 * most have the same text.
 */
export function createFinishPage(): FinishPage {
  const latest = new LRUCache<string, FinishedPage & { readonly html: string }>({
    maxSize: MOST_BYTES,
    // Characters have two bytes if one of them is outside Latin-1.
    sizeCalculation: ({ html, text }, place) => 1 + place.length + 2 * html.length + text.body.length,
  })
  return (html, { request, scriptNonce, status }) => {
    const url = request.query.size > 0 ? `${request.path}?${request.query}` : request.path
    const place = status === 404 ? '' : url
    const known = latest.get(place)
    if (known?.html === html) return known
    const finished = readTrustedScripts(html, scriptNonce)
    const page = { text: encodeText(finished.html), sources: finished.sources, html }
    latest.set(place, page)
    return page
  }
}
