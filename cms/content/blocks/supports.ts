import { escapeHtml } from '../../../core/http/escape-html.ts'
import type { JsonValue } from '../../../core/options/types.ts'
import { partOf } from './attributes.ts'
import type { BlockAttributes } from './parser.ts'
import { cssValue, kebabCase, stylesOf } from './styles.ts'
import type { Block, BlockAttributeSchema, BlockType } from './types.ts'

type Supports = BlockType['supports']

/** Escaped HTML attributes: `class="…" style="…"`. */
export type HtmlAttributes = Readonly<Record<string, string | undefined>>

const isOn = (value: JsonValue | undefined) => value !== undefined && value !== false && value !== null

/** Whether a type supports something; WordPress's `block_has_support`. */
export function hasSupport(supports: Supports, ...path: readonly string[]): boolean {
  return isOn(partOf(supports, ...path))
}

/** If any color is supported, all are, except gradients and links. */
function supportsColor(supports: Supports, kind: 'text' | 'background'): boolean {
  const color = supports.color
  return color === true || (typeof color === 'object' && color !== null && isOn(partOf(color, kind) ?? true))
}

function supportsBorder(supports: Supports, feature: string): boolean {
  return supports.__experimentalBorder === true || hasSupport(supports, '__experimentalBorder', feature)
}

/** The attributes that a type has because of what it supports; WordPress's `register_attribute` of each support. */
export function supportAttributes(supports: Supports): Record<string, BlockAttributeSchema> {
  const attributes: Record<string, BlockAttributeSchema> = {}
  const fonts = ['fontSize', '__experimentalFontFamily', ...Object.values(FONTS).map(([support]) => support)]
  const isStyled =
    ['color', 'spacing', '__experimentalBorder'].some((name) => hasSupport(supports, name)) ||
    fonts.some((name) => hasSupport(supports, 'typography', name))
  if (hasSupport(supports, 'align')) {
    attributes.align = { type: 'string', enum: ['left', 'center', 'right', 'wide', 'full', ''] }
  }
  if (isStyled) attributes.style = { type: 'object' }
  if (supportsColor(supports, 'background')) attributes.backgroundColor = { type: 'string' }
  if (supportsColor(supports, 'text')) attributes.textColor = { type: 'string' }
  if (hasSupport(supports, 'color', 'gradients')) attributes.gradient = { type: 'string' }
  if (supportsBorder(supports, 'color')) attributes.borderColor = { type: 'string' }
  if (hasSupport(supports, 'typography', 'fontSize')) attributes.fontSize = { type: 'string' }
  if (hasSupport(supports, 'typography', '__experimentalFontFamily')) attributes.fontFamily = { type: 'string' }
  if (isOn(supports.customClassName ?? true)) attributes.className = { type: 'string' }
  if (hasSupport(supports, '__experimentalLayout')) attributes.layout = { type: 'object' }
  return attributes
}

/** Whether the block outputs its supported attributes itself. */
function isSkipped(supports: Supports, set: string, feature?: string): boolean {
  const skipped = partOf(supports, set, '__experimentalSkipSerialization')
  if (Array.isArray(skipped)) return feature !== undefined && skipped.includes(feature)
  return skipped === true
}

/**
 * The attributes of a block's outermost element, with what its type supports: alignment, colors, spacing, fonts, borders,
 * its own class and those that an editor gave it. WordPress's `get_block_wrapper_attributes`.
 * @returns escaped, without a leading space; empty if there are none
 */
export function wrapperAttributes(block: Block, extra: HtmlAttributes = {}): string {
  const own = supported(block)
  const merged: Record<string, string | undefined> = {
    style: [extra.style, own.style].filter((part) => part).join(' '),
    class: [extra.class?.trim(), ...own.classes].filter((part) => part).join(' '),
  }
  return htmlAttributes({ ...extra, ...merged })
}

/** Attributes that have a value, escaped. */
export function htmlAttributes(attributes: HtmlAttributes): string {
  return Object.entries(attributes)
    .filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '')
    .map(([name, value]) => `${name}="${escapeHtml(value)}"`)
    .join(' ')
}

function supported({ type, attributes: all, parsedBlock }: Block): { classes: string[]; style: string } {
  if (!type) return { classes: [], style: '' }
  const { supports } = type
  // Defaults were not chosen by the author.
  const attributes = Object.fromEntries(Object.entries(all).filter(([name]) => Object.hasOwn(parsedBlock.attrs, name)))
  const text = (name: string) => (typeof attributes[name] === 'string' ? attributes[name] : '')
  const color = isSkipped(supports, 'color') ? undefined : colorsOf(supports, attributes)
  const typography = isSkipped(supports, 'typography') ? undefined : fontsOf(supports, attributes)
  const spacing = isSkipped(supports, 'spacing') ? undefined : spacingOf(supports, attributes)
  const isBordered = !isSkipped(supports, '__experimentalBorder') && hasSupport(supports, '__experimentalBorder')
  const border = isBordered ? bordersOf(attributes) : undefined
  const className = isOn(supports.className ?? true)
    ? `wp-block-${type.name.replaceAll('/', '-').replace(/^core-/, '')}`
    : ''
  return {
    classes: [
      hasSupport(supports, 'align') && text('align') !== '' ? `align${text('align')}` : '',
      ...(border?.classes ?? []),
      ...(color?.classes ?? []),
      isOn(supports.customClassName ?? true) ? text('className') : '',
      className,
      ...(typography?.classes ?? []),
    ],
    style: [border?.style, color?.style, spacing, typography?.style].filter((part) => part).join(''),
  }
}

interface Styled {
  readonly classes: readonly string[]
  readonly style: string
}

/** Classes and style of the text's and background's colors. */
export function colorsOf(supports: Supports, attributes: BlockAttributes): Styled {
  const classes: string[] = []
  const style: Record<string, JsonValue | undefined> = {}
  const take = (
    kind: 'text' | 'background' | 'gradient',
    preset: string,
    flag: string,
    named: string,
    property: string,
  ) => {
    if (isSkipped(supports, 'color', kind === 'gradient' ? 'gradients' : kind)) return
    const slug = attributes[preset]
    const custom = partOf(attributes, 'style', 'color', kind)
    const isNamed = typeof slug === 'string' && slug !== ''
    if (!isNamed && !isOn(custom)) return
    if (!classes.includes(flag)) classes.push(flag)
    if (isNamed) classes.push(named.replace('%s', () => kebabCase(slug)))
    else style[property] = custom
  }
  if (supportsColor(supports, 'text')) take('text', 'textColor', 'has-text-color', 'has-%s-color', 'color')
  if (supportsColor(supports, 'background')) {
    take('background', 'backgroundColor', 'has-background', 'has-%s-background-color', 'background-color')
  }
  if (hasSupport(supports, 'color', 'gradients')) {
    take('gradient', 'gradient', 'has-background', 'has-%s-gradient-background', 'background')
  }
  return { classes, style: stylesOf(style) }
}

const FONTS: Readonly<Record<string, readonly [support: string, property: string]>> = {
  fontStyle: ['__experimentalFontStyle', 'font-style'],
  fontWeight: ['__experimentalFontWeight', 'font-weight'],
  lineHeight: ['lineHeight', 'line-height'],
  textDecoration: ['__experimentalTextDecoration', 'text-decoration'],
  textTransform: ['__experimentalTextTransform', 'text-transform'],
  letterSpacing: ['__experimentalLetterSpacing', 'letter-spacing'],
}

function fontsOf(supports: Supports, attributes: BlockAttributes): Styled {
  const classes: string[] = []
  const style: Record<string, JsonValue | undefined> = {}
  const given = partOf(attributes, 'style', 'typography')
  for (const [name, support, property] of [
    ['fontSize', 'fontSize', 'font-size'],
    ['fontFamily', '__experimentalFontFamily', 'font-family'],
  ] as const) {
    if (!hasSupport(supports, 'typography', support) || isSkipped(supports, 'typography', name)) continue
    const slug = attributes[name]
    if (typeof slug === 'string' && slug !== '') classes.push(`has-${kebabCase(slug)}-${property}`)
    else style[property] = partOf(given, name)
  }
  for (const [name, [support, property]] of Object.entries(FONTS)) {
    if (hasSupport(supports, 'typography', support) && !isSkipped(supports, 'typography', name))
      style[property] = partOf(given, name)
  }
  return { classes, style: stylesOf(style) }
}

function spacingOf(supports: Supports, attributes: BlockAttributes): string {
  const style: Record<string, JsonValue | undefined> = {}
  for (const name of ['padding', 'margin'] as const) {
    if (!hasSupport(supports, 'spacing', name) || isSkipped(supports, 'spacing', name)) continue
    const given = partOf(attributes, 'style', 'spacing', name)
    if (typeof given === 'object' && given !== null) {
      for (const side of ['top', 'right', 'bottom', 'left']) style[`${name}-${side}`] = partOf(given, side)
    } else style[name] = given
  }
  return stylesOf(style)
}

const CORNERS = { topLeft: 'top-left', topRight: 'top-right', bottomLeft: 'bottom-left', bottomRight: 'bottom-right' }

/** Classes and style of a border; including for blocks that apply it to an inner element. */
export function bordersOf(attributes: BlockAttributes): Styled {
  const border = partOf(attributes, 'style', 'border')
  const style: Record<string, JsonValue | undefined> = {}
  const pixels = (value: JsonValue | undefined) => (/^[\d.]+$/.test(cssValue(value)) ? `${cssValue(value)}px` : value)
  const radius = partOf(border, 'radius')
  if (typeof radius === 'object' && radius !== null) {
    for (const [name, corner] of Object.entries(CORNERS)) style[`border-${corner}-radius`] = partOf(radius, name)
  } else style['border-radius'] = pixels(radius)
  style['border-style'] = partOf(border, 'style')
  style['border-width'] = pixels(partOf(border, 'width'))
  const slug = attributes.borderColor
  const named = typeof slug === 'string' && slug !== '' ? kebabCase(slug) : undefined
  const custom = partOf(border, 'color')
  if (named === undefined) style['border-color'] = custom
  for (const side of ['top', 'right', 'bottom', 'left']) {
    for (const what of ['color', 'style', 'width']) style[`border-${side}-${what}`] = partOf(border, side, what)
  }
  const classes = [
    ...(named !== undefined || isOn(custom) ? ['has-border-color'] : []),
    ...(named === undefined ? [] : [`has-${named}-border-color`]),
  ]
  return { classes, style: stylesOf(style) }
}
