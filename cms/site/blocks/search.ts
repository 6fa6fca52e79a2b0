import { escapeHtml } from '../../../core/http/escape-html.ts'
import { isSet, numberAttribute, partOf, textAttribute } from '../../content/blocks/attributes.ts'
import type { BlockAttributes } from '../../content/blocks/parser.ts'
import { cssValue, kebabCase, stylesOf } from '../../content/blocks/styles.ts'
import { bordersOf, colorsOf, wrapperAttributes } from '../../content/blocks/supports.ts'
import { cleanPostHtml } from '../../content/sanitize-post.ts'
import { plainText } from '../../text/plain-text.ts'
import { currentPage } from '../current-page.ts'
import { type BlockParts, type BlockRenderers, classNames, uniqueId } from './parts.ts'

/** Magnifying glass; own artwork. */
const ICON =
  '<svg class="search-icon" viewBox="0 0 24 24" width="24" height="24"><path d="M10.5 4a6.5 6.5 0 1 0 4 11.6l4.9 4.9 1.1-1.1-4.9-4.9A6.5 6.5 0 0 0 10.5 4zm0 1.5a5 5 0 1 1 0 10 5 5 0 0 1 0-10z"></path></svg>'
/** Classes by button position. */
const POSITIONS = ['button-inside', 'button-outside', 'no-button', 'button-only']
const MOST_PARAMETERS = 20

const attribute = (name: string, value: string) => (value === '' ? '' : `${name}="${escapeHtml(value)}"`)

/** `core/search` */
export function search({ origin, texts }: BlockParts): BlockRenderers {
  return {
    async 'core/search'(attributes, _content, block) {
      const word = (await texts()).__('Search')
      const id = uniqueId('wp-block-search__input-')
      const position = textAttribute(attributes, 'buttonPosition')
      const isInside = position === 'button-inside'
      const hasIcon = isSet(attributes, 'buttonUseIcon')
      const styles = stylesFor(attributes, position)
      const border = bordersOf(attributes).classes.join(' ')
      const fonts = fontClasses(attributes)
      const label = textAttribute({ label: attributes.label ?? word }, 'label')
      const isShown = isSet(attributes, 'showLabel') && label !== ''
      const labelHtml = isShown
        ? `<label for="${id}" class="${classNames('wp-block-search__label', fonts)}" ${attribute('style', styles.label)}>${cleanPostHtml(label)}</label>`
        : `<label for="${id}" class="wp-block-search__label screen-reader-text">${cleanPostHtml(label) || escapeHtml(word)}</label>`
      const value = escapeHtml(currentPage()?.search ?? '')
      const placeholder = escapeHtml(textAttribute(attributes, 'placeholder'))
      const inputClass = `wp-block-search__input ${classNames(isInside && border, fonts)}`
      const input =
        position === 'button-only'
          ? ''
          : `<input type="search" id="${id}" class="${inputClass}" name="s" value="${value}" placeholder="${placeholder}" ${attribute('style', styles.input)} required />`
      const buttonText = textAttribute({ text: attributes.buttonText ?? word }, 'text')
      const named = hasIcon ? `aria-label="${escapeHtml(plainText(buttonText))}"` : ''
      const buttonClass = classNames(
        'wp-block-search__button',
        buttonColors(attributes),
        fonts,
        !isInside && border,
        hasIcon && 'has-icon',
        'wp-element-button',
      )
      const button =
        position === 'no-button'
          ? ''
          : `<button type="submit" class="${escapeHtml(buttonClass)}" ${attribute('style', styles.button)} ${named}>${hasIcon ? ICON : cleanPostHtml(buttonText)}</button>`
      const wrapper = `<div class="wp-block-search__inside-wrapper ${isInside ? border : ''}" ${attribute('style', styles.wrapper)}>${input}${parameters(attributes)}${button}</div>`
      const withButton = position !== '' && position !== 'no-button'
      const names = classNames(
        POSITIONS.includes(position) && `wp-block-search__${position}`,
        withButton && (hasIcon ? 'wp-block-search__icon-button' : 'wp-block-search__text-button'),
      )
      return `<form role="search" method="get" action="${origin}/" ${wrapperAttributes(block, { class: names })}>${labelHtml}${wrapper}</form>`
    },
  }
}

/** Hidden fields that limit the search, set by block variations. */
function parameters(attributes: BlockAttributes): string {
  const query = attributes.query
  const entries = typeof query === 'object' && query !== null && !Array.isArray(query) ? Object.entries(query) : []
  return entries
    .filter(([, value]) => typeof value === 'string' || typeof value === 'number')
    .slice(0, MOST_PARAMETERS)
    .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(String(value))}" />`)
    .join('')
}

const COLORS = { color: { text: true, background: true, gradients: true } }
const buttonColors = (attributes: BlockAttributes) => colorsOf(COLORS, attributes).classes.join(' ')

function fontClasses(attributes: BlockAttributes): string {
  const [size, family] = [textAttribute(attributes, 'fontSize'), textAttribute(attributes, 'fontFamily')]
  return classNames(
    size !== '' && `has-${kebabCase(size)}-font-size`,
    family !== '' && `has-${kebabCase(family)}-font-family`,
  )
}

interface PartStyles {
  readonly wrapper: string
  readonly input: string
  readonly button: string
  readonly label: string
}

function stylesFor(attributes: BlockAttributes, position: string): PartStyles {
  const isInside = position === 'button-inside'
  const width = numberAttribute(attributes, 'width')
  const unit = textAttribute(attributes, 'widthUnit')
  const sized = width > 0 && position !== 'button-only' ? stylesOf({ width: `${width}${unit}` }) : ''
  const border = bordersOf(attributes).style
  const radius = cssValue(partOf(attributes, 'style', 'border', 'radius'))
  // The outer radius is larger than that of field and button.
  const rounder =
    isInside && Number.parseFloat(radius) > 0
      ? `border-radius:calc(${radius}${/\d$/.test(radius) ? 'px' : ''} + 4px);`
      : ''
  const [only, rest] = split(border)
  const given = (name: string) => partOf(attributes, 'style', 'typography', name)
  const fonts = stylesOf({
    'font-size': textAttribute(attributes, 'fontSize') === '' ? given('fontSize') : undefined,
    'font-family': textAttribute(attributes, 'fontFamily') === '' ? given('fontFamily') : undefined,
    'letter-spacing': given('letterSpacing'),
    'font-weight': given('fontWeight'),
    'font-style': given('fontStyle'),
    'line-height': given('lineHeight'),
    'text-transform': given('textTransform'),
  })
  const inner = only + (isInside ? '' : rest) + fonts
  return {
    wrapper: sized + (isInside ? rest : '') + rounder,
    input: inner,
    button: inner + colorsOf(COLORS, attributes).style,
    label: fonts,
  }
}

/** Splits the border radius from the other border styles. */
function split(style: string): [radius: string, rest: string] {
  const parts = style.split(/(?<=;)/)
  const isRadius = (part: string) => /^border-(?:[a-z]+-[a-z]+-)?radius:/.test(part)
  return [parts.filter(isRadius).join(''), parts.filter((part) => !isRadius(part)).join('')]
}
