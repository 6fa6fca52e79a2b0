/** Decodes a URL segment: `caf%C3%A9` → `café`. */
export function readable(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** The plain text of an HTML string such as `title.rendered`, without loading resources or running scripts. */
export function plainText(html: string): string {
  if (!/[<&]/.test(html)) return html.trim()
  return new DOMParser().parseFromString(html, 'text/html').body.textContent?.trim() ?? ''
}
