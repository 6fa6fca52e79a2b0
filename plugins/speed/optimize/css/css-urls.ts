/** A URL in a style sheet, outside comments and strings. */
export interface CssUrl {
  readonly url: string
  /** Range of the complete `url(…)`, or of the string of an `@import`. */
  readonly start: number
  readonly end: number
}

// Unclosed tokens extend to the end (CSS Syntax 3, 4.3.2 and 4.3.5), which keeps matching linear.
const COMMENT = /\/\*.*?(?:\*\/|$)/s.source
const STRING = /"(?:[^"\\]|\\.)*(?:"|\\?$)|'(?:[^'\\]|\\.)*(?:'|\\?$)/s.source
const BARE = /(?:[^\\)"'\s(]|\\.)+/s.source
const TOKEN = new RegExp(
  String.raw`${COMMENT}|(@import\s+)(${STRING})|(?<![\w-])url\(\s*(?:(${STRING}|${BARE})\s*)?\)|${STRING}`,
  'gis',
)

/** The URLs in a sheet or `style` attribute, in order (CSS Syntax 3, url and string tokens). */
export function cssUrls(css: string): CssUrl[] {
  return [...css.matchAll(TOKEN)].flatMap((match) => {
    const [token, atImport = '', imported, named] = match
    const written = imported ?? named
    if (written === undefined) return []
    return [{ url: unquoted(written), start: match.index + atImport.length, end: match.index + token.length }]
  })
}

/** Replaces URLs; unchanged where `replace` returns `undefined`. */
export function replaceCssUrls(css: string, replace: (url: string) => string | undefined): string {
  return replaceRanges(
    css,
    cssUrls(css).flatMap(({ url, start, end }) => {
      const other = replace(url)
      if (other === undefined || other === url) return []
      const isFunction = css.slice(start, start + 4).toLowerCase() === 'url('
      const text = `"${other.replace(/["\\\n]/g, (sign) => encodeURIComponent(sign))}"`
      return [{ start, end, text: isFunction ? `url(${text})` : text }]
    }),
  )
}

/** URLs without `url()`, which neither `cssUrls` nor esbuild finds. */
const BARE_ADDRESS = /image-set\(\s*["']|@namespace/i

/** Whether all URLs in a sheet can be found, so that it may be served from another URL. */
export function isMovableSheet(css: string): boolean {
  return !BARE_ADDRESS.test(css)
}

/** Rewrites a URL in a sheet relative to the root of its host; unchanged if it does not depend on the location. */
export function addressFromRoot(address: string, from: URL): string {
  if (/^(?:#|data:|$)/i.test(address) || !URL.canParse(address, from.href)) return address
  const url = new URL(address, from)
  return url.origin === from.origin ? url.href.slice(url.origin.length) : url.href
}

/**
 * Rewrites all URLs of a sheet relative to the root of its host, so that it can be served from another path;
 * `undefined` if one cannot be found.
 */
export function rebased(css: string, from: URL): string | undefined {
  return isMovableSheet(css) ? replaceCssUrls(css, (address) => addressFromRoot(address, from)) : undefined
}

/** Replaces non-overlapping ranges of a text. */
export function replaceRanges(
  source: string,
  ranges: readonly { readonly start: number; readonly end: number; readonly text: string }[],
): string {
  let result = ''
  let at = 0
  for (const { start, end, text } of ranges.toSorted((a, b) => a.start - b.start)) {
    result += source.slice(at, start) + text
    at = end
  }
  return result + source.slice(at)
}

function unquoted(written: string): string {
  return unescapeCss(/^["']/.test(written) ? written.slice(1, -1) : written)
}

/** Decodes escapes in a name or string (CSS Syntax 3, 4.3.7). */
export function unescapeCss(text: string): string {
  return text.replace(/\\(?:([0-9a-f]{1,6})\s?|(\r\n|.))/gis, (_, hex?: string, sign?: string) =>
    hex
      ? String.fromCodePoint(Math.min(Number.parseInt(hex, 16), 0x10ffff))
      : /[\r\n\f]/.test(sign ?? '')
        ? ''
        : (sign ?? ''),
  )
}
