import type { CustomAtRules, Visitor } from 'lightningcss'
import { isTooDeep } from './nesting.ts'

/**
 * Shows the rules of a sheet to a visitor. What is no CSS in it is passed over, as browsers do; so is a sheet whose
 * brackets are nested more deeply than any that somebody wrote.
 * @param visitor without `RuleExit`: each rule is dropped when it was seen, because the library would go on and merge
 *   rules of one selector, in time that grows with their number squared
 */
export async function visitCss(css: string, visitor: Omit<Visitor<CustomAtRules>, 'RuleExit'>): Promise<void> {
  if (isTooDeep(css)) return
  const { transform } = await import('lightningcss')
  transform({
    filename: 'sheet.css',
    code: Buffer.from(css),
    errorRecovery: true,
    visitor: { ...visitor, RuleExit: () => [] },
  })
}
