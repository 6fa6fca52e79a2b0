import { realpath } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { dirname, extname, join, resolve, sep } from 'node:path'
import type { Loader, Plugin } from 'esbuild'
import { withEsbuild } from '../esbuild.ts'
import { assertRegularFile, readRegularFile } from '../site/files/regular-file.ts'
import { type AskedPackage, decidingFiles, type Fingerprint, takeFingerprint } from '../site/scripts/dependencies.ts'

const GUEST = join(import.meta.dirname, 'guest')
/** Folder of the product, whose packages extensions may use. */
const PRODUCT = join(import.meta.dirname, '..', '..')
/** A file of an installed package. */
const IN_PACKAGE = /[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^./\\@][^/\\]*[/\\]/
const SCRIPT = /^\.[cm]?([jt]sx?)$/
/** Files that are imported as text. */
const TEXTS = ['.css', '.html', '.svg', '.txt', '.md']
/** Marks resolutions that this plugin started. */
const ASKED = Symbol('asked')

/** An extension with everything that it imports, as one script for the engine. */
export interface GuestCode {
  readonly code: string
}

/** The script with what the loader needs to cache it and to map its stack traces. */
export interface GuestBundle extends GuestCode {
  /** Source map, JSON. */
  readonly map: string
  readonly hash: string
  /** Absolute paths of the files that it contains. */
  readonly files: readonly string[]
  /** What it was built from; `undefined` if that cannot be determined. */
  readonly fingerprint?: Fingerprint | undefined
}

/** Name of the script that starts the extension, which is not a file. */
const START_SCRIPT = '<start>'

/**
 * Bundles an extension for the sandbox: its files, its packages, and the guest's part of `pentad`.
 *
 * @param root - The extension's folder, or its only file: it can import nothing else besides packages.
 * @param filename - Name of the script in stack traces; paths of the source map are relative to its folder.
 * @throws the error of esbuild, which has a readable list of problems
 */
export async function bundleGuest(entry: string, root: string, filename: string): Promise<GuestBundle> {
  const folder = dirname(entry)
  const contents = [
    `import ${JSON.stringify(join(GUEST, 'globals.js'))}`,
    `import { start } from ${JSON.stringify(join(GUEST, 'start.js'))}`,
    `import definition from ${JSON.stringify(entry)}`,
    'start(definition)',
  ].join('\n')
  const roots = await Promise.all([root, GUEST].map((one) => realpath(one)))
  // esbuild reads these itself, and would wait for a pipe forever.
  for (const file of decidingFiles([folder])) await assertRegularFile(file)
  const packages: AskedPackage[] = []
  const since = Date.now()
  const result = await withEsbuild(({ build }) =>
    build({
      stdin: { contents, resolveDir: folder, sourcefile: START_SCRIPT, loader: 'js' },
      outfile: filename,
      bundle: true,
      write: false,
      metafile: true,
      absWorkingDir: folder,
      format: 'iife',
      platform: 'neutral',
      mainFields: ['module', 'main'],
      conditions: ['module-sync', 'module', 'import'],
      target: 'es2023',
      minifySyntax: true,
      sourcemap: 'external',
      sourcesContent: false,
      legalComments: 'none',
      logLevel: 'silent',
      // Its `extends` could name any file.
      tsconfigRaw: '{}',
      plugins: [imports(packages), oneLocale, files(roots)],
    }),
  )
  const output = (suffix: string) => result.outputFiles.find(({ path }) => path.endsWith(suffix))
  const script = output('.cjs')
  const { [START_SCRIPT]: _, ...inputs } = result.metafile.inputs
  return {
    code: script?.text ?? '',
    map: output('.map')?.text ?? '',
    hash: script?.hash ?? '',
    fingerprint: takeFingerprint(inputs, packages, { folder, since }),
    files: Object.keys(inputs)
      .map((file) => resolve(folder, file))
      .filter((file) => !file.startsWith(PRODUCT) || file.startsWith(folder)),
  }
}

/**
 * Resolves `pentad` and `pentad/sandbox` to the guest's part of it, and packages from the extension, then from the product.
 *
 * @param packages - Receives the packages that were found.
 */
const imports = (packages: AskedPackage[]): Plugin => ({
  name: 'sandbox-imports',
  setup(build) {
    build.onResolve({ filter: /^pentad(?:\/|$)/ }, ({ path }) =>
      path === 'pentad' || path === 'pentad/sandbox'
        ? { path: join(GUEST, 'pentad.js'), sideEffects: false }
        : { errors: [{ text: `${path} is not available in a sandboxed extension.` }] },
    )
    build.onResolve({ filter: /^[^./]/ }, async ({ path, kind, resolveDir, importer, pluginData }) => {
      if (pluginData === ASKED || kind === 'entry-point') return undefined
      if (isBuiltin(path)) {
        return { errors: [{ text: `${path} is a module of Node, which is not available in a sandboxed extension.` }] }
      }
      const find = (from: string) => build.resolve(path, { kind, importer, resolveDir: from, pluginData: ASKED })
      const own = await find(resolveDir)
      const found = own.errors.length === 0 ? own : await find(PRODUCT)
      packages.push({ specifier: path, from: [resolveDir, PRODUCT], found: found.path })
      return found
    })
  },
})

/** Zod's error messages in some 50 languages are two thirds of its size. */
const oneLocale: Plugin = {
  name: 'one-locale',
  setup(build) {
    build.onLoad({ filter: /[/\\]zod[/\\]v4[/\\]locales[/\\]index\.js$/ }, ({ path }) => ({
      contents: "export { default as en } from './en.js'",
      resolveDir: dirname(path),
    }))
  },
}

/**
 * Reads the files of the extension, of packages, and of the guest's part of `pentad`, and no others: the code could otherwise import any
 * file of the server as text or JSON, such as the environment of the process.
 *
 * @param roots - Folders or files without symbolic links.
 */
const files = (roots: readonly string[]): Plugin => ({
  name: 'files',
  setup(build) {
    build.onLoad({ filter: /.*/, namespace: 'file' }, async ({ path, with: { type, ...others } }) => {
      const suffix = extname(path)
      if ((type !== undefined && (type !== 'json' || suffix !== '.json')) || Object.keys(others).length > 0) {
        return {
          errors: [
            { text: 'Import attributes other than { type: "json" } are not available in a sandboxed extension.' },
          ],
        }
      }
      const file = await realpath(path)
      if (!roots.some((root) => file === root || file.startsWith(root + sep)) && !IN_PACKAGE.test(file)) {
        return { errors: [{ text: 'A sandboxed extension can import only its own files and packages.' }] }
      }
      const loader = loaderOf(suffix)
      if (loader === undefined) return { errors: [{ text: `Files that end in ${suffix} cannot be imported.` }] }
      const contents = await readRegularFile(file)
      // esbuild would read the file that the comment names.
      return { contents: loader === 'text' ? contents : contents.replaceAll('sourceMappingURL=', 'sourceMap='), loader }
    })
  },
})

function loaderOf(suffix: string): Loader | undefined {
  if (suffix === '.json') return 'json'
  if (TEXTS.includes(suffix)) return 'text'
  const script = SCRIPT.exec(suffix)?.[1]
  return script === 'js' || script === 'jsx' || script === 'ts' || script === 'tsx' ? script : undefined
}
