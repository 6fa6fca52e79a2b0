import { partOf } from '../../../content/blocks/attributes.ts'
import type { BlockAttributes } from '../../../content/blocks/parser.ts'
import { kebabCase, stylesOf } from '../../../content/blocks/styles.ts'

/** Submenu icon; own artwork. */
export const submenuIcon =
  '<svg xmlns="http://www.w3.org/2000/svg" width="12" height="12" viewBox="0 0 12 12" fill="none" aria-hidden="true" focusable="false"><path d="M2 4.5l4 4 4-4" stroke="currentColor" stroke-width="1.5"></path></svg>'

/** Colors and font size of menu items. */
export interface NavigationColors {
  readonly classes: readonly string[]
  readonly style: string
  readonly overlayClasses: readonly string[]
  readonly overlayStyle: string
}

interface Kind {
  readonly named: string
  readonly custom: string
  readonly flag: string
  readonly pattern: string
  readonly property: string
  readonly style?: 'text' | 'background'
}

const OWN: readonly Kind[] = [
  {
    ...{ named: 'textColor', custom: 'customTextColor', style: 'text' },
    ...{ flag: 'has-text-color', pattern: 'has-%s-color', property: 'color' },
  },
  {
    ...{ named: 'backgroundColor', custom: 'customBackgroundColor', style: 'background' },
    ...{ flag: 'has-background', pattern: 'has-%s-background-color', property: 'background-color' },
  },
]
const OVERLAY: readonly Kind[] = [
  {
    ...{ named: 'overlayTextColor', custom: 'customOverlayTextColor' },
    ...{ flag: 'has-text-color', pattern: 'has-%s-color', property: 'color' },
  },
  {
    ...{ named: 'overlayBackgroundColor', custom: 'customOverlayBackgroundColor' },
    ...{ flag: 'has-background', pattern: 'has-%s-background-color', property: 'background-color' },
  },
]

/** Classes and styles from the attributes of a navigation, or from its context. */
export function navigationColors(from: BlockAttributes): NavigationColors {
  const own = pick(from, OWN)
  const overlay = pick(from, OVERLAY)
  const size = from.fontSize
  const isNamed = typeof size === 'string' && size !== ''
  const fontSize = isNamed ? '' : stylesOf({ 'font-size': partOf(from, 'style', 'typography', 'fontSize') })
  return {
    classes: [...own.classes, ...(isNamed ? [`has-${kebabCase(size)}-font-size`] : [])],
    style: own.style + fontSize,
    overlayClasses: overlay.classes,
    overlayStyle: overlay.style,
  }
}

/** Of a submenu item: overlay colors take precedence over those of the navigation. */
export function submenuColors(context: BlockAttributes): Pick<NavigationColors, 'classes' | 'style'> {
  const { classes, style, overlayClasses, overlayStyle } = navigationColors(context)
  return overlayClasses.length > 0 ? { classes: overlayClasses, style: overlayStyle } : { classes, style }
}

function pick(from: BlockAttributes, kinds: readonly Kind[]): { classes: string[]; style: string } {
  const classes: string[] = []
  let style = ''
  for (const { named, custom, flag, pattern, property, style: part } of kinds) {
    const slug = from[named]
    const value = from[custom] ?? (part && partOf(from, 'style', 'color', part))
    if (typeof slug === 'string' && slug !== '')
      classes.push(
        flag,
        pattern.replace('%s', () => kebabCase(slug)),
      )
    else if (value !== undefined) {
      classes.push(flag)
      style += stylesOf({ [property]: value })
    }
  }
  return { classes, style }
}
