import { escapeHtml } from '../../../core/http/escape-html.ts'

/** Text in these elements is not linked: links cannot be nested, and code is literal. */
const LEFT_ALONE = /^<(\/?)(?:a|code)\b/
const ADDRESS = /(?<![\w@/.-])(?:https?:\/\/|www\.)[^\s<]+/gi
/** Characters that end a sentence rather than a URL, longest first. */
const TAILS = ['&quot;', '&amp;', '&#039;', '&#39;', '&gt;', '&lt;', ...'.,;:!?\'"*_']

/**
 * Converts URLs in a text to links; WordPress's `make_clickable`. They come from visitors, so the links are marked `nofollow ugc`.
 * @param html output of a sanitizer: well-formed, without `<` or `>` in attributes
 */
export function linkAddresses(html: string): string {
  if (!/https?:\/\/|www\./i.test(html)) return html
  let inside = 0
  return html
    .split(/(<[^<>]*>)/)
    .map((part) => {
      const tag = LEFT_ALONE.exec(part)
      if (tag) inside += tag[1] ? -1 : 1
      return tag || inside > 0 || part.startsWith('<') ? part : part.replace(ADDRESS, toLink)
    })
    .join('')
}

function toLink(found: string): string {
  // A bracket belongs to the address if it was opened within.
  const tails = [...TAILS, ...(found.includes('(') ? [] : [')']), ...(found.includes('[') ? [] : [']'])]
  const tailAt = (end: number) => tails.find((tail) => found.endsWith(tail, end))
  let end = found.length
  for (let tail = tailAt(end); tail; tail = tailAt(end)) end -= tail.length
  const address = found.slice(0, end)
  const url = URL.parse((/^www\./i.test(address) ? `http://${address}` : address).replaceAll('&amp;', '&'))
  return url ? `<a href="${escapeHtml(url.href)}" rel="nofollow ugc">${address}</a>${found.slice(end)}` : found
}
