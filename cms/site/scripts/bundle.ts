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
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    stdin: {
      contents: parts.map((part) => `import ${JSON.stringify(part)}\n`).join(''),
      resolveDir: import.meta.dirname,
    },
    ...FOR_BROWSERS,
    format: 'iife',
    target: 'es2020',
    define: {
      ...FOR_BROWSERS.define,
      ...Object.fromEntries(Object.entries(constants).map(([name, value]) => [name, JSON.stringify(value)])),
    },
  })
  return outputFiles.map(({ text }) => text).join('')
}

/** Bundles an ES module with its imports, for current browsers. @throws Error with file, line and reason */
export async function bundleModule(path: string): Promise<string> {
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    ...FOR_BROWSERS,
    entryPoints: [path],
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
  })
  return outputFiles.map(({ text }) => text).join('')
}
