import { extname } from 'node:path'
import { escapeHtml } from '../../../core/http/escape-html.ts'
import type { Theme } from '../theme/theme.ts'
import { type FontFace, type FontFamily, fontSlugOf, type ThemeJson } from '../theme/theme-json.ts'
import { isOpaqueHex, readableOn, textOn } from './colors.ts'
import type { AppearanceSettings } from './settings.ts'

/** Prefix of files of the theme. */
const OWN_FILE = 'file:./'
/** Font formats of CSS by file extension. */
const FORMATS: Readonly<Record<string, string>> = {
  '.woff2': 'woff2',
  '.woff': 'woff',
  '.ttf': 'truetype',
  '.otf': 'opentype',
}

type Scheme = 'light' | 'dark'

/** Colors and fonts of a theme with the owner's choices, by the names of `theme.json`. */
export interface ResolvedStyle {
  /** Colors by slug. */
  readonly light: Readonly<Record<string, string>>
  readonly dark: Readonly<Record<string, string>>
  readonly headingFont: FontFamily | undefined
  readonly textFont: FontFamily | undefined
}

/** Combines the theme, its chosen variation, and the settings; later ones take precedence. */
export function resolveStyle(theme: Pick<Theme, 'json' | 'styles'>, settings: AppearanceSettings): ResolvedStyle {
  const layers = [theme.json, theme.styles.get(settings.style)].filter((layer) => layer !== undefined)
  const light = Object.fromEntries(layers.flatMap(paletteOf))
  const dark = {
    ...light,
    ...Object.fromEntries(layers.flatMap(({ settings: { custom } }) => entriesOf(custom?.dark))),
  }
  const chosen = (scheme: Scheme) =>
    (['Base', 'Contrast', 'Accent'] as const).flatMap((role) => {
      const color = settings[`${scheme}${role}`]
      return color === '' ? [] : [[role.toLowerCase(), color] as const]
    })
  const fontOf = (setting: string, find: (json: ThemeJson) => string | undefined) => {
    const slugs = [setting, ...layers.toReversed().map((layer) => fontSlugOf(find(layer)))]
    return slugs.map((slug) => fontsOf(theme).find((font) => font.slug === slug)).find((font) => font !== undefined)
  }
  const darkColors = { ...dark, ...Object.fromEntries(chosen('dark')) }
  return {
    light: { ...light, ...Object.fromEntries(chosen('light')) },
    dark: { ...darkColors, ...followingAccent(settings, darkColors.base) },
    textFont: fontOf(settings.textFont, ({ styles }) => styles.typography?.fontFamily),
    headingFont: fontOf(settings.headingFont, ({ styles }) => styles.elements?.heading?.typography?.fontFamily),
  }
}

/** Unless the owner has chosen an accent for dark mode too, it is the light one, lightened where that is hard to read. */
function followingAccent({ lightAccent, darkAccent }: AppearanceSettings, base = ''): { readonly accent?: string } {
  return lightAccent === '' || darkAccent !== '' || !isOpaqueHex(base) ? {} : { accent: readableOn(base, lightAccent) }
}

/** All fonts that a theme offers. */
export function fontsOf({ json }: Pick<Theme, 'json'>): readonly FontFamily[] {
  return json?.settings.typography?.fontFamilies ?? []
}

const entriesOf = (record: Readonly<Record<string, string>> | undefined) => Object.entries(record ?? {})
const paletteOf = ({ settings }: ThemeJson) =>
  (settings.color?.palette ?? []).map(({ slug, color }): [string, string] => [slug, color])

const printed = new WeakMap<object, WeakMap<AppearanceSettings, string>>()

/** The styles of a page, made once for a theme and settings: both are replaced on a change, never modified. */
export function printStyles(theme: Pick<Theme, 'json' | 'styles' | 'asset'>, settings: AppearanceSettings): string {
  const ofTheme = printed.get(theme) ?? new WeakMap<AppearanceSettings, string>()
  printed.set(theme, ofTheme)
  const html = ofTheme.get(settings) ?? renderStyles(theme, settings)
  ofTheme.set(settings, html)
  return html
}

/**
 * HTML for the head: preloads of the chosen fonts, their `@font-face` rules, and the custom properties that WordPress
 * derives from `theme.json` (`--wp--preset--color--…`, `--wp--preset--font-family--…`, `--wp--custom--…`).
 */
function renderStyles(theme: Pick<Theme, 'json' | 'styles' | 'asset'>, settings: AppearanceSettings): string {
  if (!theme.json) return ''
  const style = resolveStyle(theme, settings)
  const fonts = [...new Set([style.textFont, style.headingFont])].filter((font) => font !== undefined)
  const preloads = fonts.flatMap(({ fontFace }) => {
    const first = fontFace.flatMap(({ src }) => src).find((source) => source.startsWith(OWN_FILE))
    return first === undefined ? [] : [preloadOf(first, theme)]
  })
  const custom = { ...customOf(theme.json), ...customOf(theme.styles.get(settings.style)) }
  const shared = [
    ...fonts.map(({ slug, fontFamily }) => `--wp--preset--font-family--${slug}:${fontFamily}`),
    ...(style.textFont ? [`--wp--custom--font--text:${style.textFont.fontFamily}`] : []),
    ...(style.headingFont ? [`--wp--custom--font--heading:${style.headingFont.fontFamily}`] : []),
    ...Object.entries(custom).map(([name, value]) => `--wp--custom--${name}:${value}`),
  ]
  const css = [
    fontRules(theme, fonts),
    `:root{${[...shared, ...colorsOf(style[settings.colorScheme === 'dark' ? 'dark' : 'light'])].join(';')}}`,
    ...(settings.colorScheme === 'auto'
      ? [`@media (prefers-color-scheme:dark){:root{${colorsOf(style.dark).join(';')}}}`]
      : []),
    ...Object.keys(style.light).map(classesOf),
  ].join('\n')
  return `${preloads.join('\n')}\n<style id="global-styles-inline-css">\n${css.replaceAll('</', '<\\/')}\n</style>\n`
}

function colorsOf(colors: Readonly<Record<string, string>>): string[] {
  const { accent } = colors
  return [
    ...Object.entries(colors).map(([slug, color]) => `--wp--preset--color--${slug}:${color}`),
    ...(accent && isOpaqueHex(accent) ? [`--wp--custom--on-accent:${textOn(accent)}`] : []),
  ]
}

/** The classes of a color of the palette, as content uses them. */
function classesOf(slug: string): string {
  const value = `var(--wp--preset--color--${slug})`
  return `.has-${slug}-color{color:${value}}.has-${slug}-background-color{background-color:${value}}`
}

/** Text and numbers of `settings.custom`, in kebab case. */
function customOf(json: ThemeJson | undefined): Record<string, string> {
  const plain = Object.entries(json?.settings.custom ?? {}).filter(([, value]) => typeof value === 'string')
  return Object.fromEntries(
    plain.map(([name, value]) => [name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`), String(value)]),
  )
}

const urlOf = (source: string, { asset }: Pick<Theme, 'asset'>) =>
  source.startsWith(OWN_FILE) ? asset(source.slice(OWN_FILE.length)) : source

function preloadOf(source: string, theme: Pick<Theme, 'asset'>): string {
  const type = extname(source).slice(1)
  return `<link rel="preload" href="${escapeHtml(urlOf(source, theme))}" as="font" type="font/${escapeHtml(type)}" crossorigin>`
}

function sourceOf(source: string, theme: Pick<Theme, 'asset'>): string {
  if (source.startsWith('local(')) return source
  const format = FORMATS[extname(source)]
  return `url(${urlOf(source, theme)})${format ? ` format("${format}")` : ''}`
}

/** The `@font-face` rules of fonts, one a line. */
export function fontRules(theme: Pick<Theme, 'asset'>, fonts: readonly FontFamily[]): string {
  return fonts.flatMap(({ fontFace }) => fontFace.map((face) => fontRule(face, theme))).join('\n')
}

function fontRule(face: FontFace, theme: Pick<Theme, 'asset'>): string {
  const rules: readonly (readonly [name: string, value: string | undefined])[] = [
    ['font-family', face.fontFamily],
    ['font-style', face.fontStyle],
    ['font-weight', face.fontWeight],
    ['font-display', face.fontDisplay],
    ['src', face.src.map((source) => sourceOf(source, theme)).join(',')],
    ['unicode-range', face.unicodeRange],
    ['size-adjust', face.sizeAdjust],
    ['ascent-override', face.ascentOverride],
    ['descent-override', face.descentOverride],
    ['line-gap-override', face.lineGapOverride],
  ]
  const lines = rules.flatMap(([name, value]) => (value === undefined ? [] : [`${name}:${value}`]))
  return `@font-face{${lines.join(';')}}`
}
