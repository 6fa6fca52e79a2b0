/** A part of an address in the letters of its language: `caf%C3%A9` → `café`. */
export function readable(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** The words of a piece of HTML, as in `title.rendered`; nothing of it is loaded or run. */
export function plainText(html: string): string {
  if (!/[<&]/.test(html)) return html.trim()
  return new DOMParser().parseFromString(html, 'text/html').body.textContent?.trim() ?? ''
}
