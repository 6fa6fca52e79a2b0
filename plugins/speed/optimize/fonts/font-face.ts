import type { CustomAtRules, FontWeight, Visitor } from 'lightningcss'
import { type CssUrl, cssUrls, replaceRanges } from '../css/css-urls.ts'
import { visitCss } from '../css/visit-css.ts'
import { memoize } from '../memoize.ts'

/** A font URL in a style sheet. */
export interface FontSource extends CssUrl {
  /** `woff2`; `undefined` if not specified. */
  readonly format: string | undefined
}

/** An `@font-face` rule. */
export interface FontFace {
  /** Family name in lower case. */
  readonly family: string
  /** From the thinnest to the boldest. */
  readonly weights: readonly [from: number, to: number]
  readonly isItalic: boolean
  /** Whether it covers Latin letters. */
  readonly isLatin: boolean
  readonly hasDisplay: boolean
  /** Whether browsers may use a local font instead. */
  readonly isLocal: boolean
  /** Offset after its `{`. */
  readonly bodyStart: number
  readonly sources: readonly FontSource[]
}

/** The `@font-face` rules of a sheet, including nested ones. Empty for invalid CSS. */
export const readFontFaces = memoize(async (css): Promise<readonly FontFace[]> => {
  if (!/@font-face/i.test(css)) return []
  const offset = offsets(css)
  const tokens = new Map(cssUrls(css).map((token) => [token.start, token]))
  const faces: FontFace[] = []
  const visitor: Visitor<CustomAtRules> = {
    Rule: {
      'font-face'({ value: { properties, loc } }) {
        const bodyStart = css.indexOf('{', offset(loc.line, loc.column)) + 1
        const face = { family: '', isItalic: false, isLatin: true, hasDisplay: false, isLocal: false }
        let weights: [number, number] = [400, 400]
        const sources: FontSource[] = []
        for (const property of properties) {
          if (property.type === 'font-family') face.family = String(property.value).toLowerCase()
          if (property.type === 'font-weight')
            weights = [weightOf(property.value[0]) ?? 400, weightOf(property.value[1]) ?? 400]
          if (property.type === 'font-style') face.isItalic = property.value.type !== 'normal'
          if (property.type === 'unicode-range')
            face.isLatin = property.value.some(({ start, end }) => start <= 0x61 && end >= 0x7a)
          if (property.type === 'custom' && property.value.name.toLowerCase() === 'font-display') face.hasDisplay = true
          if (property.type !== 'source') continue
          for (const source of property.value) {
            if (source.type === 'local') face.isLocal = true
            if (source.type !== 'url') continue
            const { url, loc: at } = source.value.url
            const token = tokens.get(offset(at.line - 1, at.column))
            if (token) sources.push({ ...token, url, format: source.value.format?.type })
          }
        }
        faces.push({ ...face, weights, bodyStart, sources })
      },
    },
  }
  await visitCss(css, visitor)
  return faces
})

/** 1 to 1000; `undefined` for `bolder` and `lighter`, which are relative. */
export function weightOf(weight: FontWeight): number | undefined {
  if (weight.type !== 'absolute') return undefined
  if (weight.value.type === 'weight') return weight.value.value
  return weight.value.type === 'bold' ? 700 : 400
}

/** Converts a zero-based line and one-based column (UTF-16) to an offset. CSS has four line endings. */
function offsets(css: string): (line: number, column: number) => number {
  const starts = [0, ...[...css.matchAll(/\r\n|[\n\r\f]/g)].map((match) => match.index + match[0].length)]
  return (line, column) => (starts[line] ?? css.length) + column - 1
}

/** Icon fonts, whose names would show as text in a fallback font. */
export function isIconFont(family: string): boolean {
  return /icon|symbol|awesome|glyph/i.test(family)
}

/** Adds `font-display: swap` to each `@font-face` without one, at the start so that later declarations win. */
export const withFontDisplay = memoize(async (css): Promise<string> => {
  const faces = await readFontFaces(css)
  return replaceRanges(
    css,
    faces
      .filter(({ hasDisplay, family }) => !hasDisplay && !isIconFont(family))
      .map(({ bodyStart }) => ({ start: bodyStart, end: bodyStart, text: 'font-display:swap;' })),
  )
})
