/** `npm run docs`: writes the generated pages of the reference. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { collectErrors, errorCatalogue } from './error-catalogue.ts'
import { collectHooks, hookReference } from './hook-reference.ts'

/** The generated pages by path from the root of the project. */
export function generatePages(root: string): Map<string, string> {
  return new Map([
    ['docs/reference/hooks.md', hookReference(collectHooks(root))],
    ['docs/reference/errors.md', errorCatalogue(collectErrors(root))],
  ])
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  for (const [path, text] of generatePages(root)) {
    writeFileSync(join(root, path), text)
    console.log(`${path} written`)
  }
}
