/** Elements without automatic links. */
const CLOSED = /^(a|h[1-6]|script|style|pre|code|button|iframe|textarea)$/

/**
 * Links the first occurrence of a text, outside of links, headings, and code; the rest of the HTML stays unchanged.
 * @returns `undefined` if the text does not occur
 */
export function insertLink(html: string, anchor: string, url: string): string | undefined {
  const wanted = escapeText(anchor)
  const open: string[] = []
  let from = 0
  for (const { index, 0: token, 1: slash, 2: tag } of html.matchAll(
    /<!--[\s\S]*?-->|<(\/?)([a-z][a-z0-9-]*)[^>]*>|$/gi,
  )) {
    const text = html.slice(from, index)
    const at = open.length === 0 ? text.indexOf(wanted) : -1
    if (at >= 0) {
      const start = from + at
      const link = `<a href="${escapeText(url).replaceAll('"', '&quot;')}">${wanted}</a>`
      return html.slice(0, start) + link + html.slice(start + wanted.length)
    }
    from = index + token.length
    const name = tag?.toLowerCase()
    if (name === undefined || !CLOSED.test(name)) continue
    if (slash === '') open.push(name)
    else if (open.at(-1) === name) open.pop()
  }
  return undefined
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
