/** An address that a style sheet names, outside of comments and strings. */
export interface CssUrl {
  readonly url: string
  /** What writes it: `url(…)` as a whole, or the string of an `@import`. */
  readonly start: number
  readonly end: number
}

// What is not closed goes on to the end (CSS Syntax 3, 4.3.2 and 4.3.5), so that the end is looked for once.
const COMMENT = /\/\*.*?(?:\*\/|$)/s.source
const STRING = /"(?:[^"\\]|\\.)*(?:"|\\?$)|'(?:[^'\\]|\\.)*(?:'|\\?$)/s.source
const BARE = /(?:[^\\)"'\s(]|\\.)+/s.source
const TOKEN = new RegExp(
  String.raw`${COMMENT}|(@import\s+)(${STRING})|(?<![\w-])url\(\s*(?:(${STRING}|${BARE})\s*)?\)|${STRING}`,
  'gis',
)

/** The addresses in a sheet or a `style` attribute, in its order (CSS Syntax 3, url and string tokens). */
export function cssUrls(css: string): CssUrl[] {
  return [...css.matchAll(TOKEN)].flatMap((match) => {
    const [token, atImport = '', imported, named] = match
    const written = imported ?? named
    if (written === undefined) return []
    return [{ url: unquoted(written), start: match.index + atImport.length, end: match.index + token.length }]
  })
}

/** The text with other addresses; where `replace` answers `undefined` it stays as it is. */
export function replaceCssUrls(css: string, replace: (url: string) => string | undefined): string {
  return replaceRanges(
    css,
    cssUrls(css).flatMap(({ url, start, end }) => {
      const other = replace(url)
      if (other === undefined || other === url) return []
      const isWhole = css.slice(start, start + 4).toLowerCase() === 'url('
      const text = `"${other.replace(/["\\\n]/g, (sign) => encodeURIComponent(sign))}"`
      return [{ start, end, text: isWhole ? `url(${text})` : text }]
    }),
  )
}

/** Addresses that stand there without `url()`: neither `cssUrls` nor esbuild sees them. */
const BARE_ADDRESS = /image-set\(\s*["']|@namespace/i

/** Whether all addresses in a sheet can be told, so that it may lie elsewhere. */
export function isMovableSheet(css: string): boolean {
  return !BARE_ADDRESS.test(css)
}

/** An address in a sheet, written from the root of the sheet's host; as it was where it depends on no place. */
export function addressFromRoot(address: string, from: URL): string {
  if (/^(?:#|data:|$)/i.test(address) || !URL.canParse(address, from.href)) return address
  const url = new URL(address, from)
  return url.origin === from.origin ? url.href.slice(url.origin.length) : url.href
}

/**
 * The sheet with all its addresses written from the root of its host, so that it may lie elsewhere on it. `undefined`
 * if one cannot be told.
 */
export function rebased(css: string, from: URL): string | undefined {
  return isMovableSheet(css) ? replaceCssUrls(css, (address) => addressFromRoot(address, from)) : undefined
}

/** Puts text in the place of parts of a text; parts do not overlap. */
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

/** A name or string with its escapes read (CSS Syntax 3, 4.3.7). */
export function unescapeCss(text: string): string {
  return text.replace(/\\(?:([0-9a-f]{1,6})\s?|(\r\n|.))/gis, (_, hex?: string, sign?: string) =>
    hex
      ? String.fromCodePoint(Math.min(Number.parseInt(hex, 16), 0x10ffff))
      : /[\r\n\f]/.test(sign ?? '')
        ? ''
        : (sign ?? ''),
  )
}
