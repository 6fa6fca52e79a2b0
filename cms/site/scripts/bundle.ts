import { createRequire } from 'node:module'
import { dirname, resolve } from 'node:path'
import { withEsbuild } from '../../esbuild.ts'
import { decidingFiles, type Fingerprint, takeFingerprint } from './dependencies.ts'

const FOR_BROWSERS = {
  bundle: true,
  write: false,
  minify: true,
  platform: 'browser',
  legalComments: 'none',
  logLevel: 'silent',
  // Workbox logs unless it is in production mode.
  define: { 'process.env.NODE_ENV': '"production"' },
} as const

/**
 * Bundles source files with the packages they import into one script for browsers; deterministic.
 * @param parts absolute paths, in order of execution
 * @param constants JSON values that replace these names in the source
 */
export async function bundleScript(
  parts: readonly string[],
  constants: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  return (await buildScript(parts, constants)).script
}

/** `bundleScript` with the files on which the script depends; `undefined` if these cannot be determined. */
export async function buildScript(
  parts: readonly string[],
  constants: Readonly<Record<string, unknown>>,
): Promise<{ readonly script: string; readonly fingerprint: Fingerprint | undefined }> {
  const [folder, since] = [process.cwd(), Date.now()]
  const { outputFiles, metafile } = await withEsbuild(({ build }) =>
    build({
      stdin: {
        contents: parts.map((part) => `import ${JSON.stringify(part)}\n`).join(''),
        resolveDir: dirname(parts[0] ?? import.meta.filename),
      },
      absWorkingDir: folder,
      metafile: true,
      ...FOR_BROWSERS,
      format: 'iife',
      target: 'es2020',
      define: {
        ...FOR_BROWSERS.define,
        ...Object.fromEntries(Object.entries(constants).map(([name, value]) => [name, JSON.stringify(value)])),
      },
    }),
  )
  const { '<stdin>': _, ...all } = metafile.inputs
  const packages = Object.entries(all).flatMap(([importer, { imports }]) =>
    imports.flatMap(({ path, original = '' }) => {
      const from = [resolve(folder, dirname(importer))]
      return /^[^./]/.test(original) ? [{ specifier: original, from, found: resolve(folder, path) }] : []
    }),
  )
  // Installed files change only with their package, so that it does not matter how they find one another.
  const isInstalled = (file: string) => /(?:^|\/)node_modules\//.test(file)
  const inputs = Object.fromEntries(Object.entries(all).filter(([file]) => !isInstalled(file)))
  const files = Object.keys(all)
    .filter(isInstalled)
    .map((file) => resolve(folder, file))
  const makers = [createRequire(import.meta.url).resolve('esbuild/package.json'), import.meta.filename]
  const others = [...makers, ...files, ...decidingFiles(files.map((file) => dirname(file)))]
  return {
    script: outputFiles.map(({ text }) => text).join(''),
    fingerprint: takeFingerprint(inputs, packages, { folder, since, others }),
  }
}

/** Bundles an ES module with its imports, for current browsers. @throws Error with file, line and reason */
export async function bundleModule(path: string): Promise<string> {
  const { outputFiles } = await withEsbuild(({ build }) =>
    build({
      ...FOR_BROWSERS,
      entryPoints: [path],
      format: 'esm',
      target: 'es2022',
      jsx: 'automatic',
    }),
  )
  return outputFiles.map(({ text }) => text).join('')
}
