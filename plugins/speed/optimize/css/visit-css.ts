import type { CustomAtRules, Visitor } from 'lightningcss'

/** Shows the rules of a sheet to a visitor. What is no CSS in it is passed over, as browsers do. */
export async function visitCss(css: string, visitor: Visitor<CustomAtRules>): Promise<void> {
  const { transform } = await import('lightningcss')
  transform({ filename: 'sheet.css', code: Buffer.from(css), errorRecovery: true, visitor })
}
