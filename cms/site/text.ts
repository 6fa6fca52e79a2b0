/** A URL in ASCII: what is not is percent-encoded, what is percent-encoded already stays as it is. */
export function asciiUrl(url: string): string {
  return url.toWellFormed().replace(/[^\u0021-\u007e]+/g, encodeURIComponent)
}

/** The path of a URL of this site; a URL of another one as it is. Two slashes in front would name a host. */
export function withoutOrigin(url: string, origin: string): string {
  const path = url.startsWith(origin) ? url.slice(origin.length) : ''
  return /^\/(?!\/)/.test(path) ? path : url
}
