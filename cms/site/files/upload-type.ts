import { extname } from 'node:path'
import mime from 'mime-types'

/** Types that browsers display without executing. */
const SHOWN = /^(image|audio|video|font)\/|^application\/pdf$|^text\/(plain|vtt)$/

/** Types that browsers execute, and server-side programs. */
const ACTIVE_TYPE = /html|xml|javascript|ecmascript|\bcss|wasm|flash|php|xslt|java-archive|x-sh|x-perl/
const ACTIVE_EXTENSION =
  /^\.([sx]?html?|xht|mht(ml)?|hta|htc|xml|xslt?|rdf|rss|atom|xul|svgz|[cm]?jsx?|css|swf|jar|class|wasm|php\d?|pht(ml?)?|phar|aspx?|jspx?|f?cgi|pl|py|rb|sh|exe|dll|bat|cmd|ps1)$/

const SVG = '.svg'

/**
 * Response headers of an upload by file name, or `null` for 404: authors can upload files, and active content would run with the
 * permissions of the site. HTML, scripts and style sheets are rejected. SVG is shown in a sandbox. Types that browsers cannot display are
 * downloads.
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
  // Office files are `application/vnd.openxmlformats-…` and are not executed.
  if (ACTIVE_TYPE.test(type) && !type.startsWith('application/vnd.')) return null
  const headers = { ...common, 'Content-Type': type.startsWith('text/') ? `${type}; charset=utf-8` : type }
  if (SHOWN.test(type)) return headers
  return { ...headers, 'Content-Disposition': 'attachment', 'Content-Security-Policy': "sandbox; default-src 'none'" }
}
