import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { build, type Metafile, type Plugin } from 'esbuild'
import { z } from 'zod'
import { namesIn } from '../cms/files/names-in.ts'
import { koaWithoutUndici, mimeTypesOnUse, ON_USE } from './koa.ts'
import { isBundled } from './manifest.ts'
import { nodeHttp } from './node-http.ts'
import { FOLDER, ROOT } from './places.ts'
import { zodWithSharedParts } from './zod.ts'

/** esbuild's namespace of the module that re-exports a package. */
const ENTRY = 'entry'

/** What CommonJS code expects in its scope; esbuild's output is ES modules. */
const COMMONJS_SCOPE = [
  "import { createRequire as createRequireHere } from 'node:module'",
  'const require = createRequireHere(import.meta.url), __filename = import.meta.filename, __dirname = import.meta.dirname',
].join(';')

/**
 * Bundles packages into `vendor/<specifier>.js`: one file for each specifier that the product imports, and chunks for what several of
 * them share, so that each module exists once. Loading hundreds of small modules takes most of the time and memory of a start.
 *
 * @param specifiers - What the product imports: `kysely`, `kysely/migration`.
 */
export async function bundlePackages(specifiers: readonly string[]): Promise<void> {
  const exported = new Map<string, string[]>()
  // One after the other: Node cannot require an ES module while it is being imported.
  for (const specifier of specifiers) exported.set(specifier, Object.keys(await import(specifier)))
  const { metafile } = await build({
    entryPoints: Object.fromEntries(specifiers.map((specifier) => [specifier, `${ENTRY}:${specifier}`])),
    outdir: join(FOLDER, 'vendor'),
    absWorkingDir: ROOT,
    bundle: true,
    splitting: true,
    chunkNames: 'chunks/[hash]',
    format: 'esm',
    platform: 'node',
    target: 'node24',
    // Identifiers stay as they are, for readable stack traces.
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
    banner: { js: COMMONJS_SCOPE },
    external: ['*.node'],
    plugins: [
      nodeHttp,
      entries(exported),
      koaWithoutUndici,
      mimeTypesOnUse,
      zodWithSharedParts,
      installedPackages,
      parsedJson,
    ],
    metafile: true,
    logLevel: 'warning',
  })
  await writeLicenses(metafile, join(FOLDER, 'vendor', 'LICENSES.txt'))
}

/** Exports from a package the names that Node's import of it has: those of a CommonJS module are known to Node only. */
function entries(exported: ReadonlyMap<string, readonly string[]>): Plugin {
  return {
    name: 'entries',
    setup(build) {
      // Ends in .mjs, because esbuild then imports CommonJS as Node does.
      build.onResolve({ filter: new RegExp(`^${ENTRY}:`) }, ({ path }) => ({
        path: `${path.slice(ENTRY.length + 1)}.mjs`,
        namespace: ENTRY,
      }))
      build.onLoad({ filter: /.*/, namespace: ENTRY }, ({ path }) => {
        const specifier = path.slice(0, -'.mjs'.length)
        const names = exported.get(specifier)?.filter((name) => name !== 'module.exports') ?? []
        return { contents: `export { ${names.join(', ')} } from ${JSON.stringify(specifier)}`, resolveDir: ROOT }
      })
    },
  }
}

const installedPackages: Plugin = {
  name: 'installed-packages',
  setup(build) {
    build.onResolve({ filter: /^[^./]/ }, ({ path }) => (isBundled(path) ? undefined : { path, external: true }))
  },
}

/** JSON files are parsed at their first use: V8 takes several times as long for an object literal, even from its code cache. */
const parsedJson: Plugin = {
  name: 'parsed-json',
  setup(build) {
    build.onLoad({ filter: /\.json$/ }, async ({ path }) => {
      const text = JSON.stringify(JSON.parse(await readFile(path, 'utf8')))
      return { contents: `module.exports = JSON.parse(${JSON.stringify(text)})`, loader: 'js' }
    })
  },
}

const packageFile = z.object({ name: z.string(), version: z.string(), license: z.string().optional() })

/** The licenses of the bundled packages: most of them require that their text is shipped. */
async function writeLicenses({ inputs }: Metafile, file: string): Promise<void> {
  const folders = new Set(
    Object.keys(inputs).flatMap((input) => (input.startsWith(`${ON_USE}:`) ? [] : (packageFolder(input) ?? []))),
  )
  const texts = await Promise.all([...folders].sort().map((folder) => licenseOf(join(ROOT, folder))))
  await writeFile(file, `${texts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`)
}

async function licenseOf(folder: string): Promise<string> {
  const text = await readFile(join(folder, 'package.json'), 'utf8')
  const { name, version, license } = packageFile.parse(JSON.parse(text))
  const files = (await namesIn(folder)).filter((file) => /^(?:lic|copying|notice)/i.test(file)).sort()
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
  return [`${name} ${version}${license === undefined ? '' : ` (${license})`}`, ...texts.map((one) => one.trim())].join(
    '\n\n',
  )
}

/** `node_modules/koa` of `node_modules/koa/lib/application.js`. */
function packageFolder(input: string): string | undefined {
  const parts = dirname(input).split(sep)
  const at = parts.lastIndexOf('node_modules') + 1
  if (at === 0) return undefined
  return parts.slice(0, parts[at]?.startsWith('@') ? at + 2 : at + 1).join(sep)
}
