import type { CustomAtRules, Visitor } from 'lightningcss'
import { isTooDeep } from './nesting.ts'

/**
 * Runs a visitor on a sheet. Invalid CSS is skipped, as in browsers; so are sheets with excessive nesting.
 * @param visitor without `RuleExit`: each rule is removed after the visit, since the library would otherwise merge
 *   rules of one selector in quadratic time
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
