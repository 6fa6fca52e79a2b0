import { Parser } from 'htmlparser2'

/** What a reader sees of a piece of HTML: no tags, entities decoded, white space collapsed. */
export function plainText(html: string): string {
  if (!/[<&]/.test(html)) return html.replace(/\s+/g, ' ').trim()
  let text = ''
  const parser = new Parser({
    ontext(part) {
      text += part
    },
  })
  parser.end(html)
  return text.replace(/\s+/g, ' ').trim()
}

/** A URL in ASCII: what is not is percent-encoded, what is percent-encoded already stays as it is. */
export function asciiUrl(url: string): string {
  return url.toWellFormed().replace(/[^\u0021-\u007e]+/g, encodeURIComponent)
}
