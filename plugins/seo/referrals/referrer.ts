import type { CompletedRequest } from 'pentad'
import { assistantAt, assistantCalled } from './assistants.ts'

/** Maximum length of a URL that is parsed. */
const LONGEST = 4000

/**
 * The assistant that referred a visitor to a page; `undefined` for all other requests: files, prefetches, redirects
 * (their target is requested next), and internal links.
 * @param ownHost host and port of the site
 */
export function assistantOf({ method, status, url, headers }: CompletedRequest, ownHost: string): string | undefined {
  if (method !== 'GET' || (status !== 200 && status !== 304)) return undefined
  const { referer } = headers
  const isMarked = url.includes('utm_source=')
  if (referer === undefined && !isMarked) return undefined
  if (!isPageView(headers)) return undefined
  const from = referer === undefined ? null : URL.parse(referer.slice(0, LONGEST))
  // Internal links may carry over the parameter of the first page.
  if (from?.host === ownHost) return undefined
  return (from && assistantAt(from)) ?? (isMarked ? assistantCalled(sourceIn(url)) : undefined)
}

/** Whether it is a page view: by Fetch Metadata headers, or without TLS by `Accept`. */
function isPageView(headers: CompletedRequest['headers']): boolean {
  if (headers['sec-purpose'] !== undefined || headers.purpose === 'prefetch') return false
  const destination = headers['sec-fetch-dest']
  if (destination !== undefined) return destination === 'document'
  const { accept = '*/*' } = headers
  return accept === '*/*' || accept.includes('text/html')
}

function sourceIn(url: string): string {
  const query = url.slice(url.indexOf('?') + 1, LONGEST)
  return new URLSearchParams(query).get('utm_source') ?? ''
}
