import type { AnsweredRequest } from 'pentad'
import { assistantAt, assistantCalled } from './assistants.ts'

/** Characters of an address that are looked at. */
const LONGEST = 4000

/**
 * The assistant that sent the visitor who asked for a page; `undefined` for all other requests: of files, of pages
 * that browsers fetch ahead, of pages that redirect (where they lead is asked for next), from the site itself.
 *
 * @param ownHost host and port of the site
 */
export function assistantOf({ method, status, url, headers }: AnsweredRequest, ownHost: string): string | undefined {
  if (method !== 'GET' || (status !== 200 && status !== 304)) return undefined
  const { referer } = headers
  const isMarked = url.includes('utm_source=')
  if (referer === undefined && !isMarked) return undefined
  if (!isPageView(headers)) return undefined
  const from = referer === undefined ? null : URL.parse(referer.slice(0, LONGEST))
  // A link within the site may carry on what the first one said.
  if (from?.host === ownHost) return undefined
  return (from && assistantAt(from)) ?? (isMarked ? assistantCalled(sourceIn(url)) : undefined)
}

/** Whether somebody looks at it: browsers say so (Fetch Metadata), and without TLS by what they want. */
function isPageView(headers: AnsweredRequest['headers']): boolean {
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
