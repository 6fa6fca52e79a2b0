import type { CustomAtRules, Declaration, FontFamily, Selector, Visitor } from 'lightningcss'
import { visitCss } from '../css/visit-css.ts'
import { memoize } from '../memoize.ts'
import { weightOf } from './font-face.ts'

/** A font used on nearly every page. */
export interface FontUse {
  /** First family of the list, in lower case. */
  readonly family: string
  readonly weight: number
}

/** Elements that determine the fonts of body text and headings, with their default weights. */
const WEIGHTS: Readonly<Record<string, number>> = { html: 400, body: 400, p: 400, h1: 700, h2: 700 }

/** Reads fonts from the rules for `body`, `h1` and similar; families in variables are ignored. */
export const readFontUses = memoize(async (css): Promise<readonly FontUse[]> => {
  const uses: FontUse[] = []
  const visitor: Visitor<CustomAtRules> = {
    Rule: {
      style({ value: { selectors, declarations } }) {
        const fallback = selectors.map(defaultWeight).find((weight) => weight !== undefined)
        if (fallback === undefined) return
        const all = declarations?.declarations ?? []
        const family = all.map(familyOf).findLast((name) => name !== undefined)
        const weight = all.map(declaredWeight).findLast((number) => number !== undefined)
        if (family) uses.push({ family, weight: weight ?? fallback })
      },
    },
  }
  await visitCss(css, visitor)
  return uses
})

function defaultWeight(selector: Selector): number | undefined {
  const [only] = selector
  return selector.length === 1 && only?.type === 'type' ? WEIGHTS[only.name] : undefined
}

function familyOf(declaration: Declaration): string | undefined {
  if (declaration.property === 'font-family') return named(declaration.value)
  return declaration.property === 'font' ? named(declaration.value.family) : undefined
}

function named([first]: readonly FontFamily[]): string | undefined {
  return first?.toLowerCase()
}

function declaredWeight(declaration: Declaration): number | undefined {
  if (declaration.property !== 'font-weight' && declaration.property !== 'font') return undefined
  const weight = declaration.property === 'font' ? declaration.value.weight : declaration.value
  return weightOf(weight)
}
