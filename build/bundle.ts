import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { type BuildOptions, build, type OutputFile, type Plugin } from 'esbuild'
import { type Groups, groupModules } from './groups.ts'
import { isBundled } from './manifest.ts'
import { nodeHttp } from './node-http.ts'
import { FOLDER, ROOT } from './places.ts'

/** A file that is named instead of imported: `new URL('./thread.ts', import.meta.url)`, `join(import.meta.dirname, 'process.ts')`. */
const NAMED_FILE = /(?<=new URL\(|join\(import\.meta\.dirname, )'(?<file>[^']+)\.ts'(?=, import\.meta\.url|\))/g

/** esbuild's namespace of the modules that import a group. */
const GROUP = 'group'

/** Stands for the relative path from an output to the folder of the package, until that is known. */
const TO_FOLDER = '__to_package_folder__/'

/** Gives bundled code the `import.meta` of its source file, in the folder of the package that has the other files of that folder. */
const IMPORT_META = `import { dirname as folderOfFile } from 'node:path'
import { fileURLToPath as pathOfUrl } from 'node:url'
const importMetaOf = (file) => {
  const url = new URL('${TO_FOLDER}' + file, import.meta.url).href
  const filename = pathOfUrl(url)
  return { url, filename, dirname: folderOfFile(filename) }
}`

const SHARED = {
  outdir: FOLDER,
  outbase: ROOT,
  absWorkingDir: ROOT,
  bundle: true,
  write: false,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  sourcemap: true,
  define: { 'import.meta': '__sourceMeta' },
  banner: { js: IMPORT_META },
  logLevel: 'warning',
} as const satisfies BuildOptions

/**
 * Bundles what Node loads: each entry into a file in its own place, and chunks for what several of them share. What is named
 * as a file stays a file of its own.
 *
 * @param entries - Relative to the project, as the other paths.
 * @param named - From `namedFiles`.
 * @returns the packages that it imports
 */
export async function bundleProduct(entries: readonly string[], named: readonly string[]): Promise<string[]> {
  const packages = new Set<string>()
  const groups = await groupModules(entries, named)
  const { outputFiles } = await build({
    ...SHARED,
    entryPoints: [...entries, ...named],
    splitting: true,
    chunkNames: 'chunks/[hash]',
    plugins: [nodeHttp, inGroups(groups), filesOfTheirOwn(named), vendor(packages), importMeta(groups)],
  })
  await write(outputFiles)
  return [...packages]
}

/**
 * Bundles each extension that comes with the product, for the loader, which runs it as it does those of others: it gives it `pentad`
 * and the packages. What is imported dynamically is in chunks in the extension's folder, so that it is still loaded when needed.
 *
 * @returns the packages that they import
 */
export async function bundleExtensions(entries: readonly string[]): Promise<string[]> {
  const packages = new Set<string>()
  for (const entry of entries) {
    const { outputFiles, metafile } = await build({
      ...SHARED,
      entryPoints: [entry],
      splitting: true,
      chunkNames: `${dirname(entry)}/chunks/[hash]`,
      packages: 'external',
      plugins: [importMeta()],
      metafile: true,
    })
    await write(outputFiles)
    const imports = Object.values(metafile.outputs).flatMap((output) => output.imports)
    for (const { path, external } of imports) if (external && isBundled(path)) packages.add(path)
  }
  return [...packages]
}

/** Files of these folders that are named as files in code: threads and processes. @returns paths relative to the project */
export async function namedFiles(sources: readonly string[]): Promise<string[]> {
  const found = new Set<string>()
  // One after the other: all at once are more than the 1,024 open files that a process in a container may have.
  for (const source of sources) {
    const text = await readFile(join(ROOT, source), 'utf8')
    for (const { groups } of text.matchAll(NAMED_FILE)) found.add(join(dirname(source), `${groups?.file}.ts`))
  }
  return [...found].sort()
}

/** Imports of packages lead to `vendor/`. @param packages - Receives those that are imported. */
function vendor(packages: Set<string>): Plugin {
  return {
    name: 'vendor',
    setup(build) {
      build.onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
        if (kind === 'entry-point' || /^pentad(?:\/|$)/.test(path)) return undefined
        if (!isBundled(path)) return { path, external: true }
        packages.add(path)
        return { path: `${TO_FOLDER}vendor/${path}.js`, external: true }
      })
    },
  }
}

/** A file that is named as a file stays one, so that stack traces show it and all get the same instance. */
function filesOfTheirOwn(files: readonly string[]): Plugin {
  return {
    name: 'files-of-their-own',
    setup(build) {
      build.onResolve({ filter: /^\.{1,2}\/.*\.ts$/ }, ({ path, resolveDir, kind }) => {
        const file = relative(ROOT, join(resolveDir, path))
        if (kind === 'entry-point' || !files.includes(file)) return undefined
        return { path: `${TO_FOLDER}${file.replace(/ts$/, 'js')}`, external: true }
      })
    },
  }
}

/** The modules that import those of a group. */
function inGroups({ modules }: Groups): Plugin {
  return {
    name: 'groups',
    setup(build) {
      build.onResolve({ filter: new RegExp(`^${GROUP}:`) }, ({ path }) => ({
        path: path.slice(GROUP.length + 1),
        namespace: GROUP,
      }))
      build.onLoad({ filter: /.*/, namespace: GROUP }, ({ path }) => ({
        contents: (modules.get(path) ?? []).map((file) => `import './${file}'`).join('\n'),
        resolveDir: ROOT,
      }))
    },
  }
}

/** What is added to source files, on their first lines: their `import.meta`, and the groups that they load. */
function importMeta(groups?: Groups): Plugin {
  return {
    name: 'import-meta',
    setup(build) {
      build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        const text = await readFile(path, 'utf8')
        const source = relative(ROOT, path)
        const imports = groups?.loadedBy.get(source)?.map((name) => `import '${GROUP}:${name}';`) ?? []
        const meta = text.includes('import.meta')
          ? `const __sourceMeta = /* @__PURE__ */ importMetaOf('${source.replace(/ts$/, 'js')}');`
          : ''
        const code = text.replaceAll(NAMED_FILE, "'$<file>.js'")
        return {
          contents: code.replace(/^(?:#!.*\n)?/, (hashbang) => hashbang + imports.join('') + meta),
          loader: 'ts',
        }
      })
    },
  }
}

async function write(outputs: readonly OutputFile[]): Promise<void> {
  for (const { path, text } of outputs) {
    const toFolder = `${relative(dirname(path), FOLDER) || '.'}/`
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, path.endsWith('.js') ? inAscii(text.replaceAll(TO_FOLDER, toFolder)) : text)
  }
}

/**
 * Code with other characters takes twice the memory: V8 then stores two bytes for each character of the file. esbuild leaves those of regular
 * expressions, where an escape means the same.
 */
function inAscii(code: string): string {
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
