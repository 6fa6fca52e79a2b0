/** `npm run docs`: writes the generated pages of the reference, and the admin's types of the responses of routes. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { collectErrors, errorCatalog } from './error-catalog.ts'
import { collectHooks, hookReference } from './hook-reference.ts'
import { responseTypes } from './response-types.ts'

/** The generated files by path from the root of the project. */
export async function generatePages(root: string): Promise<Map<string, string>> {
  return new Map([
    ['docs/reference/hooks.md', hookReference(collectHooks(root))],
    ['docs/reference/errors.md', errorCatalog(collectErrors(root))],
    ['admin/src/api/responses.ts', await responseTypes()],
  ])
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  for (const [path, text] of await generatePages(root)) {
    writeFileSync(join(root, path), text)
    console.log(`${path} written`)
  }
}
