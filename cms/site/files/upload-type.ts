import { extname } from 'node:path'
import mime from 'mime-types'

/** What a browser shows without running anything of it. */
const SHOWN = /^(image|audio|video|font)\/|^application\/pdf$|^text\/(plain|vtt)$/

/** What a browser runs or styles a page with, and programs that a server runs where the folder is copied to one. */
const ACTIVE_TYPE = /html|xml|javascript|ecmascript|\bcss|wasm|flash|php|xslt|java-archive|x-sh|x-perl/
const ACTIVE_EXTENSION =
  /^\.([sx]?html?|xht|mht(ml)?|hta|htc|xml|xslt?|rdf|rss|atom|xul|svgz|[cm]?jsx?|css|swf|jar|class|wasm|php\d?|pht(ml?)?|phar|aspx?|jspx?|f?cgi|pl|py|rb|sh|exe|dll|bat|cmd|ps1)$/

const SVG = '.svg'

/**
 * How a file of the uploads folder is answered by its name, or `null` if it never is: uploads come from authors, and
 * whatever runs in a browser would run with the site's rights (contract 2.8).
 *
 * Pages, scripts and style sheets are refused. A drawing (SVG) is shown, cut off from scripts and from the network.
 * What a browser cannot show comes as a download.
 */
export function uploadHeaders(path: string): Readonly<Record<string, string>> | null {
  const name = path.split('/').at(-1) ?? ''
  const extension = extname(name).toLowerCase()
  if (ACTIVE_EXTENSION.test(extension)) return null
  const type = mime.lookup(name) || 'application/octet-stream'
  const common = { 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'public, max-age=86400' }
  if (extension === SVG) {
    const policy = "sandbox; default-src 'none'; style-src 'unsafe-inline'"
    return { ...common, 'Content-Type': 'image/svg+xml', 'Content-Security-Policy': policy }
  }
  // Office files are `application/vnd.openxmlformats-…` and run nowhere.
  if (ACTIVE_TYPE.test(type) && !type.startsWith('application/vnd.')) return null
  const headers = { ...common, 'Content-Type': type.startsWith('text/') ? `${type}; charset=utf-8` : type }
  if (SHOWN.test(type)) return headers
  return { ...headers, 'Content-Disposition': 'attachment', 'Content-Security-Policy': "sandbox; default-src 'none'" }
}
