import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { type AuthorBundle, bundleForPackage } from './bundle.ts'
import { fileProblems } from './files.ts'
import { manifestProblems, type PackageJson, readManifest } from './manifest.ts'
import { MAX_SIZE, type Packed, packExtension } from './pack.ts'
import { sandboxProblems } from './sandbox.ts'

const run = promisify(execFile)

export interface CheckedExtension {
  readonly id: string
  readonly packageJson: PackageJson
  readonly bundle: AuthorBundle
  readonly packed: Packed
  /** Sentences; empty if everything is fine. */
  readonly problems: readonly string[]
  /** What could not be checked. */
  readonly skipped: readonly string[]
}

/**
 * Checks everything that can be checked without running an extension: its manifest, the calls that Pentad does not allow, the size of its
 * package, its public files and translations, what a sandbox cannot do, and its types.
 *
 * @throws Error if it cannot be read or bundled
 */
export async function checkExtension(folder: string): Promise<CheckedExtension> {
  const manifest = await readManifest(folder)
  const { source, packageJson } = manifest
  const bundle = await bundleForPackage(source.entry, folder)
  const packed = await packExtension(folder, packageJson, bundle)
  const types = await checkTypes(folder)
  const size = packed.content.length
  return {
    ...{ id: source.id, packageJson, bundle, packed },
    problems: [
      ...manifestProblems(manifest),
      ...bundle.forbidden.map((call) => `${call} is not allowed: it would end or change the whole process.`),
      ...(size > MAX_SIZE ? [`The package is ${size} bytes; the maximum is ${MAX_SIZE} bytes.`] : []),
      ...(await fileProblems(folder, source.id, packed.files)),
      ...(await sandboxProblems(source, folder)),
      ...types.problems,
    ],
    skipped: types.skipped,
  }
}

/** Checks the folder, and its tests if they have a configuration of their own. */
async function checkTypes(folder: string): Promise<Pick<CheckedExtension, 'problems' | 'skipped'>> {
  const projects = [folder, join(folder, 'test')].filter((one) => existsSync(join(one, 'tsconfig.json')))
  if (projects[0] !== folder) {
    return { problems: [], skipped: ['There is no tsconfig.json, so the types were not checked.'] }
  }
  const compiler = findCompiler(folder)
  if (compiler === undefined) {
    return { problems: [], skipped: ['To check the types, install TypeScript: npm install --save-dev typescript'] }
  }
  const problems: string[] = []
  for (const project of projects) {
    try {
      await run(process.execPath, [compiler, '--noEmit', '--pretty', 'false', '-p', project], { cwd: folder })
    } catch (error) {
      const output = typeof error === 'object' && error !== null && 'stdout' in error ? String(error.stdout).trim() : ''
      if (output === '') throw error
      problems.push(...output.split('\n').filter((line) => line.includes('error TS')))
    }
  }
  return { problems, skipped: [] }
}

/** The TypeScript that is installed in the folder. */
function findCompiler(folder: string): string | undefined {
  try {
    const found = createRequire(join(folder, 'index.js')).resolve('typescript/package.json')
    return join(dirname(found), 'bin', 'tsc')
  } catch {
    return undefined
  }
}
