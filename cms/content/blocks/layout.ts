import { createHash } from 'node:crypto'
import { escapeHtml } from '../../../core/http/escape-html.ts'
import type { JsonValue } from '../../../core/options/types.ts'
import { partOf } from './attributes.ts'
import { stylesOf } from './styles.ts'
import { hasSupport } from './supports.ts'
import type { Block, BlockType } from './types.ts'

/** Classes of the kinds of layout, WordPress's `settings.layout.definitions`. */
const CLASSES: Readonly<Record<string, string>> = {
  default: 'is-layout-flow',
  constrained: 'is-layout-constrained',
  flex: 'is-layout-flex',
}
const JUSTIFY: Readonly<Record<string, string>> = {
  left: 'flex-start',
  right: 'flex-end',
  center: 'center',
  'space-between': 'space-between',
}
const ALIGN: Readonly<Record<string, string>> = { top: 'flex-start', center: 'center', bottom: 'flex-end' }

/** Whether blocks of a type have more than their saved HTML although nothing renders them: a layout. */
export function hasLayout(type: BlockType | undefined): boolean {
  return type !== undefined && hasSupport(type.supports, '__experimentalLayout')
}

/** Whether the editor gave the links within the block a color. */
export function hasLinkColor(attributes: Block['attributes']): boolean {
  return typeof partOf(attributes, 'style', 'elements', 'link', 'color', 'text') === 'string'
}

/**
 * Adds the layout classes and link colors of a block to its HTML; WordPress's `wp_render_layout_support_flag` and
 * `wp_render_elements_support`. Where WordPress prints rules for `.wp-container-1` in the page, the element gets inline styles, and custom
 * properties that the theme's rules for `.is-layout-…` use for inner blocks. So feeds and REST are styled too.
 */
export function withLayout(html: string, block: Block): string {
  const laidOut = hasLayout(block.type) ? addToFirstTag(html, layoutOf(block)) : html
  if (laidOut === '' || !hasLinkColor(block.parsedBlock.attrs)) return laidOut
  const color = partOf(block.parsedBlock.attrs, 'style', 'elements', 'link', 'color', 'text')
  const hash = createHash('sha256').update(JSON.stringify(block.parsedBlock.attrs)).digest('hex').slice(0, 32)
  return addToFirstTag(laidOut, {
    classes: [`wp-elements-${hash}`],
    style: stylesOf({ '--wp--elements--link--color': color }),
  })
}

interface Added {
  readonly classes: readonly string[]
  readonly style: string
}

function layoutOf({ type, parsedBlock: { attrs } }: Block): Added {
  const own = attrs.layout
  const layout = own ?? partOf(type?.supports, '__experimentalLayout', 'default') ?? {}
  const text = (from: JsonValue | undefined, name: string) => {
    const value = partOf(from, name)
    return typeof value === 'string' ? value : ''
  }
  const isConstrained = partOf(layout, 'inherit') === true || text(layout, 'contentSize') !== ''
  const kind = isConstrained ? 'constrained' : text(layout, 'type') || 'default'
  const slug = (value: string) => value.toLowerCase().replace(/[^a-z0-9-]/g, '')
  const classes = [
    ...(kind === 'constrained' ? ['has-global-padding'] : []),
    ...(text(own, 'orientation') === '' ? [] : [`is-${slug(text(own, 'orientation'))}`]),
    ...(text(own, 'justifyContent') === '' ? [] : [`is-content-justification-${slug(text(own, 'justifyContent'))}`]),
    ...(text(own, 'flexWrap') === 'nowrap' ? ['is-nowrap'] : []),
    ...(Object.hasOwn(CLASSES, kind) ? [CLASSES[kind] ?? ''] : []),
  ]
  return { classes, style: kind === 'flex' ? flexStyle(layout, attrs) : flowStyle(layout, attrs) }
}

function gapOf(attrs: Block['attributes']): JsonValue | undefined {
  return partOf(attrs, 'style', 'spacing', 'blockGap')
}

function flexStyle(layout: JsonValue, attrs: Block['attributes']): string {
  const isVertical = partOf(layout, 'orientation') === 'vertical'
  const along = JUSTIFY[String(partOf(layout, 'justifyContent') ?? '')]
  const across = ALIGN[String(partOf(layout, 'verticalAlignment') ?? '')]
  const gap = gapOf(attrs)
  const isPair = typeof gap === 'object' && gap !== null
  return stylesOf({
    'flex-wrap': partOf(layout, 'flexWrap') === 'nowrap' ? 'nowrap' : undefined,
    ...(isPair ? { 'row-gap': partOf(gap, 'top'), 'column-gap': partOf(gap, 'left') } : { gap }),
    'flex-direction': isVertical ? 'column' : undefined,
    'justify-content': isVertical ? undefined : along,
    'align-items': isVertical ? along : across,
  })
}

function flowStyle(layout: JsonValue, attrs: Block['attributes']): string {
  const gap = gapOf(attrs)
  return stylesOf({
    '--wp--style--block-gap': typeof gap === 'object' && gap !== null ? partOf(gap, 'top') : gap,
    '--wp--style--global--content-size': partOf(layout, 'contentSize'),
    '--wp--style--global--wide-size': partOf(layout, 'wideSize'),
  })
}

/** Matches a tag with its attributes in linear time. */
const TAG = /<[a-z][^\s/>]*(?:"[^"]*"|'[^']*'|[^"'>])*>/i

/** Adds classes before the existing ones of the first element, and styles after its own. */
export function addToFirstTag(html: string, { classes, style }: Added): string {
  const found = classes.length > 0 || style !== '' ? TAG.exec(html) : null
  if (!found) return html
  const [tag] = found
  let changed =
    classes.length > 0 ? addToAttribute(tag, 'class', (own) => [...classes, own].filter(Boolean).join(' ')) : tag
  if (style !== '') {
    changed = addToAttribute(changed, 'style', (own) => (own === '' ? style : `${own.replace(/;?\s*$/, ';')}${style}`))
  }
  return html.slice(0, found.index) + changed + html.slice(found.index + tag.length)
}

function addToAttribute(tag: string, name: 'class' | 'style', change: (own: string) => string): string {
  const own = (name === 'class' ? /(\sclass=")([^"]*)"/ : /(\sstyle=")([^"]*)"/).exec(tag)
  if (own) {
    const [whole, start = '', value = ''] = own
    // Existing values are already escaped; in added ones only quotes must be.
    const written = change(value).replaceAll('"', '&quot;')
    return `${tag.slice(0, own.index)}${start}${written}"${tag.slice(own.index + whole.length)}`
  }
  const end = /\s*\/?>$/.exec(tag)?.index ?? tag.length
  return `${tag.slice(0, end)} ${name}="${escapeHtml(change(''))}"${tag.slice(end)}`
}
