const FOR_BROWSERS = {
  bundle: true,
  write: false,
  minify: true,
  platform: 'browser',
  legalComments: 'none',
  logLevel: 'silent',
  // Workbox logs unless it is told that it is in production.
  define: { 'process.env.NODE_ENV': '"production"' },
} as const

/**
 * One program for the browser from source files and the packages they import; the same for the same input.
 * @param parts absolute paths, in the order in which they run
 * @param constants JSON values by the names that stand for them in the source
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

/** An ES module with what it imports, for browsers that are up to date. @throws Error that says what is wrong, and where */
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
