import type { ExtensionHost } from 'pentad'
import type { AssetRequest, MadeAsset } from '../assets/store.ts'
import { fetchRemoteFile } from '../files/remote-file.ts'
import type { PageWork } from '../transform.ts'
import type { IsFontSheet } from './font-hosts.ts'

/** Font services select formats by user agent; this one supports woff2. */
const USER_AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
/** Some servers send no font type; the format is detected from the first bytes. */
const FONT_TYPES = /^(?:font\/|application\/(?:x-)?font|application\/octet-stream$|binary\/octet-stream$)/
const LARGEST_SHEET = 512 * 1024

/** Formats by the first four bytes of a file. */
const FORMATS: Readonly<Record<string, string>> = {
  wOF2: 'woff2',
  wOFF: 'woff',
  OTTO: 'otf',
  '\0\u0001\0\0': 'ttf',
  true: 'ttf',
}

/** External fonts and font sheets as assets, fetched once. */
export interface FontFiles {
  /** Whether it may be fetched: over TLS, or from a trusted local host. */
  canFetch(url: URL, work: PageWork): boolean
  sheet(url: URL): AssetRequest
  font(url: URL): AssetRequest
}

/** @param parts.isFontSheet whether a URL belongs to a font service */
export function createFontFiles(host: ExtensionHost, parts: { isFontSheet: IsFontSheet }): FontFiles {
  const isLocal = host.site.environment === 'local'
  const isTrusted = (url: URL, work?: PageWork) =>
    isLocal && ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname) && parts.isFontSheet(url, work)

  async function fetched(url: URL, signal: AbortSignal, types: RegExp, maxBytes?: number): Promise<Buffer> {
    const file = await fetchRemoteFile(url.href, {
      types,
      ...(maxBytes !== undefined && { maxBytes }),
      userAgent: USER_AGENT,
      isTrusted: (address) => isTrusted(address),
      signal,
    })
    return file.bytes
  }

  return {
    canFetch: (url, work) => url.protocol === 'https:' || (url.protocol === 'http:' && isTrusted(url, work)),
    sheet: (url) => ({
      key: `font sheet ${url.href}`,
      type: 'css',
      source: url.href,
      async make(signal) {
        const bytes = await fetched(url, signal, /^text\/css$/, LARGEST_SHEET)
        return { name: 'fonts', extension: 'css', content: bytes, originalSize: bytes.length }
      },
    }),
    font: (url) => ({
      key: `font ${url.href}`,
      type: 'font',
      source: url.href,
      make: async (signal) => asFont(url, await fetched(url, signal, FONT_TYPES)),
    }),
  }
}

/** @throws Error if the content is not a font */
function asFont(url: URL, bytes: Buffer): MadeAsset {
  const extension = FORMATS[bytes.toString('latin1', 0, 4)]
  if (!extension) throw new Error(`${url.origin}${url.pathname} is not a font.`)
  const name =
    url.pathname
      .split('/')
      .at(-1)
      ?.replace(/\.\w+$/, '') ?? 'font'
  return { name, extension, content: bytes, originalSize: bytes.length }
}
