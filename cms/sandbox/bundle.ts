import { isBuiltin } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import type { Plugin } from 'esbuild'
import { withEsbuild } from '../esbuild.ts'

const GUEST = join(import.meta.dirname, 'guest')
/** Folder of the product, whose packages extensions may use. */
const PRODUCT = join(import.meta.dirname, '..', '..')
/** Marks resolutions that this plugin started. */
const ASKED = Symbol('asked')

/** An extension with everything that it imports, as one script for the engine. */
export interface GuestBundle {
  readonly code: string
  /** Source map, JSON. */
  readonly map: string
  readonly hash: string
  /** Absolute paths of the files that it contains. */
  readonly files: readonly string[]
}

/**
 * Bundles an extension for the sandbox: its files, its packages, and the guest's part of `pentad`.
 *
 * @param filename - Name of the script in stack traces; paths of the source map are relative to its folder.
 * @throws the error of esbuild, which has a readable list of problems
 */
export async function bundleGuest(entry: string, filename: string): Promise<GuestBundle> {
  const folder = dirname(entry)
  const contents = [
    `import ${JSON.stringify(join(GUEST, 'globals.js'))}`,
    `import { start } from ${JSON.stringify(join(GUEST, 'start.js'))}`,
    `import definition from ${JSON.stringify(entry)}`,
    'start(definition)',
  ].join('\n')
  const result = await withEsbuild(({ build }) =>
    build({
      stdin: { contents, resolveDir: folder, sourcefile: 'start.js', loader: 'js' },
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
      loader: Object.fromEntries(['.css', '.html', '.svg', '.txt', '.md'].map((suffix) => [suffix, 'text' as const])),
      plugins: [imports, oneLocale],
    }),
  )
  const output = (suffix: string) => result.outputFiles.find(({ path }) => path.endsWith(suffix))
  const script = output('.cjs')
  return {
    code: script?.text ?? '',
    map: output('.map')?.text ?? '',
    hash: script?.hash ?? '',
    files: Object.keys(result.metafile.inputs)
      .map((file) => resolve(folder, file))
      .filter((file) => !file.startsWith(PRODUCT) || file.startsWith(folder)),
  }
}

/** Resolves `pentad` to the guest's part of it, and packages from the extension, then from the product. */
const imports: Plugin = {
  name: 'sandbox-imports',
  setup(build) {
    build.onResolve({ filter: /^pentad(?:\/|$)/ }, ({ path }) =>
      path === 'pentad'
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
      return own.errors.length === 0 ? own : find(PRODUCT)
    })
  },
}

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
