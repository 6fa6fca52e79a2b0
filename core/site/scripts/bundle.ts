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
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2020',
    legalComments: 'none',
    logLevel: 'silent',
    define: {
      // Workbox logs unless it is told that it is in production.
      'process.env.NODE_ENV': '"production"',
      ...Object.fromEntries(Object.entries(constants).map(([name, value]) => [name, JSON.stringify(value)])),
    },
  })
  return outputFiles.map(({ text }) => text).join('')
}
