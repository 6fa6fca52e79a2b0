import { z } from 'zod'

/** File of a theme with its colors and fonts, in the format of WordPress's `theme.json`. */
export const THEME_JSON = 'theme.json'
/** Style variations: `styles/<slug>.json`, as in WordPress. */
export const STYLE_FILE = /^styles\/([a-z0-9-]{1,40})\.json$/

const slug = z.string().regex(/^[a-z0-9-]{1,40}$/)
const hex = z.string().regex(/^#[0-9a-f]{6}$/i)

const fontFace = z.object({
  fontFamily: z.string(),
  fontWeight: z.string().optional(),
  fontStyle: z.string().optional(),
  fontDisplay: z.string().optional(),
  /** `file:./fonts/inter.woff2`, relative to the theme, or `local(Arial)`. */
  src: z.string(),
  unicodeRange: z.string().optional(),
  ascentOverride: z.string().optional(),
  descentOverride: z.string().optional(),
  lineGapOverride: z.string().optional(),
  sizeAdjust: z.string().optional(),
})

const fontFamily = z.object({
  slug,
  name: z.string(),
  fontFamily: z.string(),
  fontFace: z.array(fontFace).default([]),
})

/** Colors by role: `base` is the background, `contrast` the text. */
const palette = z.array(z.object({ slug, name: z.string(), color: hex }))

const ofFont = z.object({ typography: z.object({ fontFamily: z.string() }).optional() })

const schema = z.object({
  /** Title of a style variation. */
  title: z.string().optional(),
  settings: z
    .object({
      color: z.object({ palette }).optional(),
      typography: z.object({ fontFamilies: z.array(fontFamily) }).optional(),
      custom: z
        .looseObject({
          /** Colors of the palette in dark mode, by slug. */
          dark: z.record(slug, hex).optional(),
        })
        .optional(),
    })
    .default({}),
  styles: ofFont.extend({ elements: z.object({ heading: ofFont.optional() }).optional() }).default({}),
})

/** Colors, fonts and styles of a theme, or of one of its variations. */
export type ThemeJson = z.infer<typeof schema>
export type FontFamily = z.infer<typeof fontFamily>
export type FontFace = z.infer<typeof fontFace>

/** @throws Error with the file name if it is not valid */
export function readThemeJson(text: string, path: string): ThemeJson {
  try {
    return schema.parse(JSON.parse(text))
  } catch (error) {
    const [issue] = error instanceof z.ZodError ? error.issues : []
    const reason = issue ? `${issue.path.join('.')}: ${issue.message}` : 'It is not valid JSON.'
    throw new Error(`${path} is not a valid theme.json file: ${reason}`)
  }
}

/** `inter` of `var:preset|font-family|inter` or `var(--wp--preset--font-family--inter)`. */
export function fontSlugOf(value: string | undefined): string | undefined {
  return /^var:preset\|font-family\|([a-z0-9-]+)$|^var\(--wp--preset--font-family--([a-z0-9-]+)\)$/
    .exec(value ?? '')
    ?.slice(1)
    .find((part) => part !== undefined)
}
