/** A URL in ASCII: percent-encodes other characters; existing encoding stays unchanged. */
export function asciiUrl(url: string): string {
  return url.toWellFormed().replace(/[^\u0021-\u007e]+/g, encodeURIComponent)
}

/** The path of a URL on this site; other URLs unchanged. A leading double slash would name a host. */
export function withoutOrigin(url: string, origin: string): string {
  const path = url.startsWith(origin) ? url.slice(origin.length) : ''
  return /^\/(?!\/)/.test(path) ? path : url
}
