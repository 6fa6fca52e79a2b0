/** A URL in ASCII: what is not is percent-encoded, what is percent-encoded already stays as it is. */
export function asciiUrl(url: string): string {
  return url.toWellFormed().replace(/[^\u0021-\u007e]+/g, encodeURIComponent)
}
