import { z } from 'zod'

/** File of a theme with its colors and fonts, in the format of WordPress's `theme.json`. */
export const THEME_JSON = 'theme.json'
/** Style variations: `styles/<slug>.json`, as in WordPress. */
export const STYLE_FILE = /^styles\/([a-z0-9-]{1,40})\.json$/

const slug = z.string().regex(/^[a-z0-9-]{1,40}$/)

const HEX = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i
/** Color functions of CSS Color 5, and what may be nested in them. */
const COLOR_FUNCTIONS: ReadonlySet<string> = new Set(
  'rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix light-dark var calc'.split(' '),
)

/** Whether a value can only be a color: it cannot end its declaration or load a file. An unknown name is harmless. */
function isColor(value: string): boolean {
  if (HEX.test(value) || /^[a-z]{1,30}$/i.test(value)) return true
  if (!/^[a-z-]+\([\w\s#%.,()/+*-]{1,200}\)$/i.test(value)) return false
  const functions = [...value.matchAll(/([a-z-]*)\(/gi)].map(([, name = '']) => name.toLowerCase())
  return functions.every((name) => name === '' || COLOR_FUNCTIONS.has(name)) && isBalanced(value)
}

/** Whether each parenthesis is closed, the first one at the end. */
function isBalanced(value: string): boolean {
  let depth = 0
  for (let at = 0; at < value.length; at++) {
    if (value[at] === '(') depth++
    else if (value[at] === ')' && --depth === 0) return at === value.length - 1
  }
  return false
}

/** A CSS color; `#rgb` is written as `#rrggbb`, for contrasts. */
const color = z
  .string()
  .trim()
  .refine(isColor, 'It is not a color.')
  .transform((value) => (/^#...$/.test(value) ? value.replaceAll(/[^#]/g, '$&$&') : value))

const css = z.union([z.string(), z.number().transform(String)])

const fontFace = z.object({
  fontFamily: z.string(),
  fontWeight: css.optional(),
  fontStyle: z.string().optional(),
  fontDisplay: z.string().optional(),
  /** Sources in order of preference: `file:./fonts/inter.woff2`, relative to the theme, or `local(Arial)`. */
  src: z.union([z.string().transform((source) => [source]), z.array(z.string()).min(1)]),
  unicodeRange: z.string().optional(),
  ascentOverride: z.string().optional(),
  descentOverride: z.string().optional(),
  lineGapOverride: z.string().optional(),
  sizeAdjust: z.string().optional(),
})

const fontFamily = z.object({
  slug,
  name: z.string().optional(),
  fontFamily: z.string(),
  fontFace: z.array(fontFace).default([]),
})

const ofFont = z.object({ typography: z.object({ fontFamily: z.string().optional() }).optional() })

const schema = z.object({
  /** Title of a style variation. */
  title: z.string().optional(),
  settings: z
    .object({
      color: z
        .object({
          /** Colors by role: `base` is the background, `contrast` the text. */
          palette: z.array(z.object({ slug, color })).optional(),
        })
        .optional(),
      typography: z.object({ fontFamilies: z.array(fontFamily).optional() }).optional(),
      custom: z
        .looseObject({
          /** Colors of the palette in dark mode, by slug. */
          dark: z.record(slug, color).optional(),
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

/**
 * Reads a `theme.json` file. Values that cannot be used are skipped, so a mistake never stops a theme.
 * @param skip receives what is skipped and why: `settings.color.palette.0: It is not a color.`
 * @returns `undefined` if nothing of the file can be used
 */
export function readThemeJson(text: string, skip: (problem: string) => void): ThemeJson | undefined {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    skip('It is not valid JSON.')
    return undefined
  }
  let previous = ''
  for (;;) {
    const read = schema.safeParse(json)
    if (read.success) return read.data
    // The last one first, so that the indices of earlier ones remain.
    const issue = read.error.issues.at(-1)
    const path = itemOf(issue?.path ?? [])
    const place = path.join('.')
    skip(`${place || 'the file'}: ${issue?.message}`)
    // Nothing is left, or the value could not be removed.
    if (place === previous) return undefined
    previous = place
    remove(json, path)
  }
}

/** Of an invalid item of a list, nothing can be used. */
function itemOf(path: readonly PropertyKey[]): readonly PropertyKey[] {
  const at = path.findLastIndex((key) => typeof key === 'number')
  return at === -1 ? path : path.slice(0, at + 1)
}

function remove(json: unknown, path: readonly PropertyKey[]): void {
  const key = path.at(-1)
  let parent = json
  for (const step of path.slice(0, -1)) {
    if (typeof parent !== 'object' || parent === null) return
    parent = Reflect.get(parent, step)
  }
  if (Array.isArray(parent)) parent.splice(Number(key), 1)
  else if (typeof parent === 'object' && parent !== null && key !== undefined) Reflect.deleteProperty(parent, key)
}

/** `inter` of `var:preset|font-family|inter` or `var(--wp--preset--font-family--inter)`. */
export function fontSlugOf(value: string | undefined): string | undefined {
  return /^var:preset\|font-family\|([a-z0-9-]+)$|^var\(--wp--preset--font-family--([a-z0-9-]+)\)$/
    .exec(value ?? '')
    ?.slice(1)
    .find((part) => part !== undefined)
}
