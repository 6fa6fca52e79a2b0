import { type Addresses, inEveryString } from '../addresses.ts'
import { uploadUrl } from '../media/details.ts'
import { replaceIn } from '../replace-in-text.ts'
import { decodePath, plainHost } from './attachment-url.ts'
import type { MediaMap } from './media-map.ts'

/** A media file of the old site that a text references. */
export interface NamedFile {
  /** Below the uploads folder. */
  readonly file: string
  /** URL of the original. */
  readonly source: string
}

/**
 * A URL with its scheme or without (`//cdn.example/…`), as HTML, CSS, shortcodes, `srcset` and JSON have it: slashes may
 * be escaped (`\/`), and so may hyphens and quotation marks (`\u002d`, `\u0022`), as in the attributes of blocks.
 */
const START = /(?:(?:(?<![\w./\\-])|(?<=\\u00[\da-f]{2})|(?<=\\[nrt]))https?:|(?<![\w./\\:-])|(?<=\\u00[\da-f]{2}))/
  .source
const HOST = /(\\*\/)\1((?:[\p{L}\p{N}-]+\.)*[\p{L}\p{N}-]+(?::\d{1,5})?)/u.source
const PATH = /((?:\\*\/(?:[^\s"'<>()[\]{}|,;\\?#&/*“”«»]|\\u002d)*)+)/u.source
const QUERY =
  /(?:\?(?:[^\s"'<>()[\]{}|\\#&,]|\\\/|\\u0026|&#(?:0?38|x26);|&(?!quot;|#0?3[49];|#x2[27];)|,(?!https?:|\/\/|\s))*)?/
    .source
export const URLS = new RegExp(START + HOST + PATH + QUERY, 'giu')

/**
 * Extends the URLs of an import by those of media, which are mapped to the files here regardless of host, scheme and folder. Query strings
 * are removed: they requested a size from the old server.
 * @param siteUrl URL of this site without a trailing slash
 * @param onFile called for each media file in a text
 */
export function withMedia(
  addresses: Addresses,
  media: MediaMap,
  { siteUrl, onFile }: { siteUrl: string; onFile(named: NamedFile): void },
): Addresses {
  function replace(url: string, slash: string, host: string, path: string): string {
    if (!media.isKnown(plainHost(host))) return url
    const [, end = ''] = url.endsWith(path) ? (/([.:!]+)$/.exec(path) ?? []) : []
    const plain = path
      .slice(0, path.length - end.length)
      .replace(/\\+\//g, '/')
      .replace(/\\u002d/gi, '-')
    const file = media.find({ host: plainHost(host), path: decodePath(plain.slice(1)) })
    if (file === undefined) return url
    onFile({ file, source: `${/^http:/i.test(url) ? 'http' : 'https'}://${host}${plain}` })
    const local = uploadUrl(siteUrl, file)
    // In block comments, two hyphens are escaped.
    const escaped = path.includes('\\u002d') ? local.replaceAll('--', '\\u002d\\u002d') : local
    return escaped.replaceAll('/', slash) + end
  }

  const inText = (text: string) => replaceIn(text, (part) => addresses.inText(part.replace(URLS, replace)))
  return { inText, inValue: (value) => inEveryString(value, inText) }
}
