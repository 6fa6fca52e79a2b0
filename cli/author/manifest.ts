import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { inspectExtension, type Source } from '../../app/loader/index.ts'
import { messageOf } from '../../core/errors.ts'
import product from '../../package.json' with { type: 'json' }

const packageSchema = z.looseObject({
  name: z.string(),
  version: z.string(),
  private: z.boolean().optional(),
  keywords: z.array(z.string()).default([]),
  dependencies: z.record(z.string(), z.string()).default({}),
})

/** The `package.json` of an extension. */
export type PackageJson = z.output<typeof packageSchema>

/** What an author wrote: the definition and the `package.json`. */
export interface AuthorManifest {
  readonly source: Source
  readonly packageJson: PackageJson
}

/**
 * Reads the manifest of an extension in its author's folder, without running the code.
 *
 * @throws Error if there is no extension, or no valid `package.json`
 */
export async function readManifest(folder: string): Promise<AuthorManifest> {
  const source = await inspectExtension(folder)
  if (source.problem !== null) throw new Error(source.problem)
  const file = join(folder, 'package.json')
  try {
    return { source, packageJson: packageSchema.parse(JSON.parse(await readFile(file, 'utf8'))) }
  } catch (error) {
    throw new Error(`${file} must be a package.json with a name and a version: ${messageOf(error)}`, { cause: error })
  }
}

/** What prevents an extension from being published, as sentences. */
export function manifestProblems({ source, packageJson }: AuthorManifest): string[] {
  const problems: string[] = []
  const { version } = source
  if (version === '') problems.push('Write the version in the definition as a literal, before setup.')
  if (version !== '' && version !== packageJson.version) {
    problems.push(`The version in the definition is ${version}, but ${packageJson.version} in package.json.`)
  }
  if (source.requires?.pentad === undefined) {
    problems.push(
      `State the versions of Pentad that it works with in the definition: requires: { pentad: '^${product.version}' }.`,
    )
  }
  if (!packageJson.keywords.includes('pentad-extension')) {
    problems.push('Add the keyword "pentad-extension" to package.json, so that the search finds it.')
  }
  return problems
}
