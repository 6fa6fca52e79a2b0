import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, extname, join, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { ImportKind, Loader, OnLoadResult, OnResolveArgs, OnResolveResult, Plugin, PluginBuild } from 'esbuild'
import { z } from 'zod'
import { withEsbuild } from '../../cms/esbuild.ts'
import type { Sandboxes } from '../../cms/sandbox/index.ts'
import { assertRegularFile } from '../../cms/site/files/regular-file.ts'
import { type AskedPackage, decidingFiles, isUnchanged, takeFingerprint } from '../../cms/site/scripts/dependencies.ts'
import type { BuildCache } from './build-cache.ts'
import { describeFailure } from './build-failure.ts'
import { isBundle, withoutVersion } from './frames.ts'

/** Folder of the host itself: extensions use its packages unless they have installed their own. */
const HOST = join(import.meta.dirname, '..', '..')
/** The packages that are bundled into the npm package, each as `<specifier>.js`. */
const VENDOR = join(HOST, 'vendor')
/** The product's own code that extensions may import. */
const OWN_FOLDERS = ['app', 'cms', 'core'].map((folder) => join(HOST, folder) + sep)
/** Marks a `require` generated from an `import`, which evaluates to the module's namespace. */
export const IMPORT_PREFIX = 'import:'
/** esbuild's namespace of packages, which stay outside of the bundle. */
const PACKAGE = 'package'
/** Ends the path of the module around a package: from one that ends in `.mjs`, esbuild's interop would import CommonJS. */
const WRAPPER = '.js'

/** An extension and its helper files as one script. */
export interface Bundle {
  /** A function of CommonJS's variables. Evaluated under `filename`, so that stack traces can be attributed and mapped. */
  readonly code: string
  readonly filename: string
  /** The entry file. */
  readonly entry: string
  /** Source map for `sourceMapOf`: compressed, because it is kept for as long as the bundle runs, and rarely read. */
  readonly packedMap: string
  /** Hash of the code, independent of its location. */
  readonly hash: string
  /** Absolute paths of the files that it contains. */
  readonly files: readonly string[]
}

/** Packages that JSX can be compiled for; the first one that is installed in the extension is used. */
const JSX_RUNTIMES = ['react', 'preact']

/** File types that are imported as text. */
const TEXTS: Record<string, Loader> = Object.fromEntries(
  ['.css', '.html', '.svg', '.txt', '.md', '.sql', '.graphql'].map((suffix) => [suffix, 'text']),
)

const cachedBundle = z.object({
  code: z.string(),
  packedMap: z.string(),
  hash: z.string(),
  files: z.array(z.string()),
  fingerprint: z.record(z.string(), z.string().nullable()),
})

/** Whether a file name in a stack belongs to any version of the extension's bundle, including one of another process. */
export function isBundleOf(entry: string, filename: string): boolean {
  return isBundle(filename) && withoutVersion(filename) === versionless(entry)
}

function versionless(entry: string): string {
  return join(dirname(entry), `.${basename(entry, extname(entry))}`)
}

/** Counts bundles, so that the old and the new version of an extension have different names in stack traces. */
let generation = 0

/**
 * Bundles an extension with its helper files, or reads the cached bundle if its dependencies are unchanged.
 * @throws Error describing the problem, with file and line
 */
export async function bundleExtension(entry: string, builds: BuildCache): Promise<Bundle> {
  const filename = `${versionless(entry)}.${++generation}.cjs`
  const cached = await builds.read('bundle', entry, cachedBundle, ({ fingerprint }) => isUnchanged(fingerprint))
  if (cached) {
    const { code, packedMap, hash, files } = cached
    return { code, packedMap, hash, files, filename, entry }
  }
  return { ...(await build(entry, filename, builds)), filename, entry }
}

/**
 * Bundles an extension for a sandbox, which has no packages: they are in the bundle. Reads the cached bundle if its dependencies are unchanged.
 * @throws Error describing the problem
 */
export async function bundleForSandbox(
  { entry, folder }: { readonly entry: string; readonly folder: string | null },
  sandboxes: Pick<Sandboxes, 'bundle'>,
  builds: BuildCache,
): Promise<Bundle> {
  const filename = `${versionless(entry)}.${++generation}.cjs`
  const cached = await builds.read('sandbox', entry, cachedBundle, ({ fingerprint }) => isUnchanged(fingerprint))
  if (cached) return { ...cached, filename, entry }
  const { map, ...built } = await sandboxes.bundle(entry, folder ?? entry, filename).catch((error: unknown) => {
    throw new Error(describeFailure(error, dirname(entry)), { cause: error })
  })
  const bundle = { ...built, packedMap: packMap(map) }
  if (bundle.fingerprint) builds.write('sandbox', entry, bundle)
  return { ...bundle, filename, entry }
}

/** The source map of a bundle, JSON; its sources are relative to the folder of `filename`. */
export function sourceMapOf({ packedMap }: Pick<Bundle, 'packedMap'>): string {
  return inflateRawSync(Buffer.from(packedMap, 'base64')).toString()
}

function packMap(map: string): string {
  return deflateRawSync(map).toString('base64')
}

/**
 * Bundles with esbuild. Packages are external; `pentad` is the running host's instance. Node's type stripping is not sufficient: Node never
 * frees imported modules, does not reload helper files, and rejects enums and TypeScript below `node_modules`.
 */
async function build(entry: string, filename: string, builds: BuildCache): Promise<Omit<Bundle, 'filename' | 'entry'>> {
  const folder = dirname(entry)
  // esbuild would wait for a pipe forever, as would `regularFiles`.
  for (const file of decidingFiles([folder])) await assertRegularFile(file)
  const jsxImportSource = JSX_RUNTIMES.find((name) => isInstalled(`${name}/jsx-runtime`, entry))
  const packages: AskedPackage[] = []
  const since = Date.now()
  const result = await withEsbuild(({ build }) =>
    build({
      entryPoints: [entry],
      outfile: filename,
      bundle: true,
      write: false,
      metafile: true,
      absWorkingDir: folder,
      format: 'cjs',
      platform: 'node',
      target: 'node24',
      // Node's own conditions; esbuild's default would add `module`, which Node does not know.
      conditions: ['module-sync', 'node-addons'],
      sourcemap: 'external',
      sourcesContent: false,
      logLevel: 'silent',
      define: { 'import.meta': '__importMeta' },
      // Here, so that no second copy of the code is needed.
      banner: { js: '(function (exports, require, module, console) {' },
      footer: { js: '})' },
      // The extension's `tsconfig.json` can override this.
      jsx: 'automatic',
      ...(jsxImportSource && { jsxImportSource }),
      loader: TEXTS,
      plugins: [
        { name: 'packages-outside', setup: (build) => leavePackagesOutside(build, packages) },
        regularFiles,
        importMeta,
        noStyleModules,
      ],
    }),
  ).catch((error: unknown) => {
    throw new Error(describeFailure(error, folder), { cause: error })
  })
  const output = (suffix: string) => result.outputFiles.find((file) => file.path.endsWith(suffix))
  const text = (suffix: string) => output(suffix)?.text ?? ''
  const inputs = Object.fromEntries(
    Object.entries(result.metafile.inputs).filter(([file]) => !file.startsWith(`${PACKAGE}:`)),
  )
  const files = Object.keys(inputs).map((file) => resolve(folder, file))
  const bundle = {
    code: text('.cjs'),
    packedMap: packMap(text('.map')),
    hash: output('.cjs')?.hash ?? '',
    files,
  }
  const fingerprint = takeFingerprint(inputs, packages, { folder, since })
  if (fingerprint) builds.write('bundle', entry, { ...bundle, fingerprint })
  return bundle
}

/**
 * Packages are resolved here, from the extension's folder and then from the host's, by the rules of the importer: an
 * `import` gets what the host's own imports get, so both share one instance, also of a package that is bundled into the host.
 *
 * @param packages - Receives the packages that were found.
 */
function leavePackagesOutside(build: PluginBuild, packages: AskedPackage[]): void {
  build.onResolve({ filter: /^[^./]/ }, async (asked): Promise<OnResolveResult | undefined> => {
    if (asked.kind === 'entry-point' || asked.pluginData === PACKAGE) return undefined
    if (asked.namespace === PACKAGE) return { path: asked.path, external: true }
    if (asked.path.startsWith('#') || asked.path.startsWith('node:')) return undefined
    if (asked.path === 'pentad' || asked.path === 'pentad/sandbox') {
      return asked.kind === 'require-call'
        ? { path: 'pentad', external: true }
        : { path: `pentad${WRAPPER}`, namespace: PACKAGE }
    }
    const { path: specifier, kind, importer, resolveDir } = asked
    const find = (from: string) => build.resolve(specifier, { kind, importer, resolveDir: from, pluginData: PACKAGE })
    const own = await find(resolveDir)
    if (own.external) return own
    // The host's own React is the admin's, not the extensions'.
    const hosts = /\/jsx-(?:dev-)?runtime$/.test(specifier) ? undefined : await find(HOST)
    const isOwn = own.errors.length === 0 && own.path !== hosts?.path
    const found = isOwn ? own.path : (bundledPackage(specifier, kind) ?? (hosts?.path || undefined))
    if (found === undefined) return undefined
    packages.push({ specifier, from: [resolveDir, HOST] })
    return outside(found, asked)
  })
  // A wrapper module for each imported package, so that its default export is as in Node regardless of the importing file's kind: esbuild's
  // own interop gives files of `"type": "module"` a CommonJS view of ES modules.
  build.onLoad({ filter: /.*/, namespace: PACKAGE }, ({ path }) => {
    const specifier = JSON.stringify(`${IMPORT_PREFIX}${path.slice(0, -WRAPPER.length)}`)
    return { contents: `export * from ${specifier}; export { default } from ${specifier}`, loader: 'js' }
  })
}

/** The host's instance of a package that is bundled into it. `require` expects CommonJS, which that is not. */
function bundledPackage(specifier: string, kind: ImportKind): string | undefined {
  const file = join(VENDOR, `${specifier}.js`)
  return kind !== 'require-call' && existsSync(file) ? file : undefined
}

function outside(path: string, { kind }: OnResolveArgs): OnResolveResult {
  // Node does not strip types below node_modules; the host's own files must be loaded by Node, so that there is one instance.
  if (/\.[cm]?tsx?$/.test(path) && !OWN_FOLDERS.some((own) => path.startsWith(own))) return { path }
  if (kind === 'dynamic-import') return { path: pathToFileURL(path).href, external: true }
  if (kind === 'import-statement') return { path: `${path}${WRAPPER}`, namespace: PACKAGE }
  return { path, external: true }
}

const noStyleModules: Plugin = {
  name: 'no-style-modules',
  setup(build) {
    build.onLoad({ filter: /\.module\.css$/ }, () => {
      const text =
        'CSS modules are not supported in extensions. Rename the file to .css; importing it returns its text.'
      return { errors: [{ text }] }
    })
  },
}

/** Whether a package is installed where the file's own imports find it, not just with the host. */
function isInstalled(specifier: string, importer: string): boolean {
  try {
    return !createRequire(importer)
      .resolve(specifier)
      .startsWith(join(HOST, 'node_modules') + sep)
  } catch {
    return false
  }
}

const regularFiles: Plugin = {
  name: 'regular-files',
  setup(build) {
    build.onLoad({ filter: /.*/, namespace: 'file' }, async ({ path }) => {
      await assertRegularFile(path)
      return undefined
    })
  },
}

/** `import.meta` of each file is that file's, as if it had not been bundled. */
const importMeta: Plugin = {
  name: 'import-meta',
  setup(build) {
    build.onLoad(
      { filter: /\.[cm]?[jt]sx?$/, namespace: 'file' },
      async ({ path }): Promise<OnLoadResult | undefined> => {
        const text = await readFile(path, 'utf8')
        if (!text.includes('import.meta')) return undefined
        const meta = { url: pathToFileURL(path).href, filename: path, dirname: dirname(path) }
        const loader = extname(path).replace(/^\.[cm]?/, '')
        if (loader !== 'js' && loader !== 'jsx' && loader !== 'ts' && loader !== 'tsx') return undefined
        // On the first line, so that line numbers do not change.
        return { contents: `const __importMeta = ${JSON.stringify(meta)};${text}`, loader }
      },
    )
  },
}
