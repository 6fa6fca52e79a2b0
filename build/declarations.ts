import { execFileSync } from 'node:child_process'
import { appendFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { z } from 'zod'
import { FOLDER, ROOT } from './places.ts'
import { writeSandboxDeclarations } from './sandbox-declarations.ts'

const COMPILER = join(ROOT, 'node_modules/typescript-native/bin/tsc')
/** `outDir` of the configuration. */
const COMPILED = join(ROOT, 'dist/declarations')

/** Its types mention nothing of Node. */
const SANDBOX = 'app/sandbox.ts'

const COMMENT = /\/\*[\s\S]*?\*\//g
const RELATIVE_FILE = /(?<=['"])(\.{1,2}\/[^'"\n]+)\.ts(?=['"])/g
/** The name of a package that a file imports. */
const PACKAGE = /(?:from |import |import\()['"](?!node:)((?:@[^/'"]+\/)?[^./'"@][^/'"]*)/g

const manifest = z.object({ dependencies: z.record(z.string(), z.string()) })

/**
 * Writes the declarations of these files and of those that they import. The public API also declares the hooks of the services, so
 * that extensions need not include them.
 *
 * @param entries - What `package.json` exports, relative to the project.
 * @param hooks - Files that declare hooks of services and extensions.
 * @throws Error if they import a package that is not installed with `pentad`: type checks of authors would fail
 */
export async function writeDeclarations(entries: readonly string[], hooks: readonly string[]): Promise<void> {
  execFileSync(process.execPath, [COMPILER, '-p', join(ROOT, 'build')], { stdio: 'inherit' })
  const written = new Set<string>()
  const { dependencies } = manifest.parse(JSON.parse(await readFile(join(FOLDER, 'package.json'), 'utf8')))
  const declared = new Set(['pentad', ...Object.keys(dependencies)])
  for (const file of [...entries, ...hooks]) await write(declarationOf(file), written, declared)
  for (const file of entries.filter((one) => one !== SANDBOX).map(declarationOf)) await addNodeTypes(join(FOLDER, file))
  await rm(COMPILED, { recursive: true })
  const imports = hooks.map((file) => `import '${relative('app', file.replace(/ts$/, 'js'))}';\n`)
  await appendFile(join(FOLDER, 'app/index.d.ts'), imports.join(''))
  await writeSandboxDeclarations()
}

/** @param file - Relative to the project; written with everything that it imports. @param declared - Packages that it may import. */
async function write(file: string, written: Set<string>, declared: ReadonlySet<string>): Promise<void> {
  if (written.has(file)) return
  written.add(file)
  const text = await readFile(join(COMPILED, file), 'utf8')
  await mkdir(dirname(join(FOLDER, file)), { recursive: true })
  await writeFile(join(FOLDER, file), text.replaceAll(RELATIVE_FILE, '$1.js'))
  const missing = text
    .replaceAll(COMMENT, '')
    .matchAll(PACKAGE)
    .find(([, name = '']) => !declared.has(name))
  if (missing) throw new Error(`${file} imports ${missing[1]}, which is not installed with the package.`)
  for (const [, imported] of text.replaceAll(COMMENT, '').matchAll(RELATIVE_FILE)) {
    await write(join(dirname(file), `${imported}.d.ts`), written, declared)
  }
}

/** A project need not list them in its `types`. */
async function addNodeTypes(path: string): Promise<void> {
  await writeFile(path, `/// <reference types="node" />\n${await readFile(path, 'utf8')}`)
}

function declarationOf(file: string): string {
  return file.replace(/ts$/, 'd.ts')
}
