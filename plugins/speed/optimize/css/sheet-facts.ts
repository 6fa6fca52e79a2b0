import type { CustomAtRules, Declaration, Selector, SelectorComponent, Visitor } from 'lightningcss'
import type { HtmlElement } from '../html/document.ts'
import { memoize } from '../memoize.ts'
import { visitCss } from './visit-css.ts'

/** The names, id and classes of a compound selector (`img.wide:hover`, `:is(th, td)`). Other parts are assumed to match. */
interface Compound {
  /** Any element, if absent. */
  readonly names?: readonly string[] | undefined
  readonly id?: string
  readonly classes: readonly string[]
}

/** An element matched by position: `figure > img`, `img + p`, `img:first-child`. */
interface Placed {
  readonly self: Compound
  readonly parent: Compound | undefined
}

/** Facts of style sheets that limit changes to images. */
export interface SheetFacts {
  /** Elements that are matched by position. */
  readonly placed: readonly Placed[]
  /** Elements with a height, which an intrinsic width would distort. */
  readonly heights: readonly Compound[]
}

const BY_PLACE = /-child$|-of-type$/
const SIBLING = /-sibling$/

/** Reads the facts of one sheet. */
export const readSheetFacts = memoize(async (css): Promise<SheetFacts> => {
  const placed: Placed[] = []
  const heights: Compound[] = []
  const visitor: Visitor<CustomAtRules> = {
    Rule: {
      style({ value: { selectors, declarations } }) {
        for (const selector of selectors) placed.push(...placedIn(selector))
        const all = [...(declarations?.declarations ?? []), ...(declarations?.importantDeclarations ?? [])]
        if (!all.some(isHeight)) return
        for (const selector of selectors) heights.push(compoundsOf(selector).at(-1)?.compound ?? { classes: [] })
      },
    },
  }
  await visitCss(css, visitor)
  return { placed, heights }
})

/** Whether a rule matches the element by position, so that wrapping it could change its appearance. */
export function isPlaced(element: HtmlElement, { placed }: SheetFacts): boolean {
  return placed.some(
    ({ self, parent }) => mayMatch(element, self) && (!parent || !element.parent || mayMatch(element.parent, parent)),
  )
}

/** Whether a rule may give the element a height other than `auto`. */
export function hasHeight(element: HtmlElement, { heights }: SheetFacts): boolean {
  return heights.some((compound) => mayMatch(element, compound))
}

function mayMatch(element: HtmlElement, { names, id, classes }: Compound): boolean {
  if (names !== undefined && !names.includes(element.name)) return false
  if (id !== undefined && id !== element.attributes.get('id')) return false
  const own = (element.attributes.get('class') ?? '').split(/\s+/)
  return classes.every((one) => own.includes(one))
}

interface Part {
  readonly components: readonly SelectorComponent[]
  readonly compound: Compound
  /** Combinator before this part. */
  readonly combinator: string | undefined
}

function compoundsOf(selector: Selector): Part[] {
  const parts: { components: SelectorComponent[]; combinator: string | undefined }[] = []
  for (const component of selector) {
    if (component.type === 'combinator') parts.push({ components: [], combinator: component.value })
    else if (parts.length === 0) parts.push({ components: [component], combinator: undefined })
    else parts.at(-1)?.components.push(component)
  }
  return parts.map((part) => ({ ...part, compound: compoundOf(part.components) }))
}

function compoundOf(components: readonly SelectorComponent[]): Compound {
  const id = components.find(({ type }) => type === 'id')
  return {
    names: namesIn(components),
    ...(id?.type === 'id' && { id: id.name }),
    classes: components.flatMap((component) => (component.type === 'class' ? [component.name] : [])),
  }
}

function namesIn(components: readonly SelectorComponent[]): readonly string[] | undefined {
  for (const component of components) {
    if (component.type === 'type') return [component.name.toLowerCase()]
    if (component.type !== 'pseudo-class' || (component.kind !== 'is' && component.kind !== 'where')) continue
    const names = component.selectors.map((selector) => compoundsOf(selector).at(-1)?.compound.names)
    if (!names.includes(undefined)) return names.flatMap((some) => some ?? [])
  }
  return undefined
}

function placedIn(selector: Selector): Placed[] {
  const parts = compoundsOf(selector)
  return parts.flatMap(({ components, compound, combinator }, index) => {
    const within = components.flatMap(selectorsIn).flatMap(placedIn)
    const isByPlace =
      combinator === 'child' ||
      SIBLING.test(combinator ?? '') ||
      SIBLING.test(parts[index + 1]?.combinator ?? '') ||
      components.some((component) => component.type === 'pseudo-class' && BY_PLACE.test(component.kind))
    return isByPlace ? [{ self: compound, parent: parentOf(parts, index) }, ...within] : within
  })
}

/** The parent that a selector requires for a part; siblings share it. */
function parentOf(parts: readonly Part[], index: number): Compound | undefined {
  for (let at = index; at > 0; at--) {
    const combinator = parts[at]?.combinator ?? ''
    if (combinator === 'child') return parts[at - 1]?.compound
    if (!SIBLING.test(combinator)) return undefined
  }
  return undefined
}

/** `:is(…)`, `:not(…)`, `:has(…)`, `:nth-child(1 of …)` */
function selectorsIn(component: SelectorComponent): Selector[] {
  if (component.type !== 'pseudo-class') return []
  if (component.kind === 'host') return component.selectors ? [component.selectors] : []
  if ('selectors' in component) return component.selectors
  return 'of' in component && component.of ? component.of : []
}

function isHeight(declaration: Declaration): boolean {
  const { property } = declaration
  const name = property === 'unparsed' ? declaration.value.propertyId.property : property
  if (!/^(?:max-|min-)?(?:height|block-size)$/.test(name)) return false
  return !(property === 'height' && declaration.value.type === 'auto')
}
