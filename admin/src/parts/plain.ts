/** The text of a piece of HTML, as in `title.rendered`: nothing of it is loaded or run. */
export function plain(html: string): string {
  if (!/[<&]/.test(html)) return html
  return new DOMParser().parseFromString(html, 'text/html').body.textContent ?? ''
}
