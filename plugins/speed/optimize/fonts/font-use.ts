import type { CustomAtRules, Declaration, FontFamily, Selector, Visitor } from 'lightningcss'
import { visitCss } from '../css/visit-css.ts'
import { onceForEach } from '../once-for-each.ts'
import { weightOf } from './font-face.ts'

/** A font that text of nearly every page is set in. */
export interface FontUse {
  /** In lower case; the first of the list, which browsers take if they have it. */
  readonly family: string
  readonly weight: number
}

/** The elements whose rules say what running text and headings look like, and how bold they are by themselves. */
const WEIGHTS: Readonly<Record<string, number>> = { html: 400, body: 400, p: 400, h1: 700, h2: 700 }

/** What the rules for `body`, `h1` and the like say outright; families behind variables are passed over. */
export const readFontUses = onceForEach(async (css): Promise<readonly FontUse[]> => {
  const uses: FontUse[] = []
  const visitor: Visitor<CustomAtRules> = {
    Rule: {
      style({ value: { selectors, declarations } }) {
        const usual = selectors.map(usualWeight).find((weight) => weight !== undefined)
        if (usual === undefined) return
        const all = declarations?.declarations ?? []
        const family = all.map(familyOf).findLast((name) => name !== undefined)
        const weight = all.map(declaredWeight).findLast((number) => number !== undefined)
        if (family) uses.push({ family, weight: weight ?? usual })
      },
    },
  }
  await visitCss(css, visitor)
  return uses
})

function usualWeight(selector: Selector): number | undefined {
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
