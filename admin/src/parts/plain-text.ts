/** The words of a piece of HTML, as in `title.rendered`; nothing of it is loaded or run. */
export function plainText(html: string): string {
  if (!/[<&]/.test(html)) return html.trim()
  return new DOMParser().parseFromString(html, 'text/html').body.textContent?.trim() ?? ''
}
