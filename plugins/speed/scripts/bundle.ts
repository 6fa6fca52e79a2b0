/**
 * One program for the browser from a source file of ours and the packages it imports; the same for the same input.
 * @param entry absolute path
 * @param constants JSON values by the names that stand for them in the source
 */
export async function bundleScript(entry: string, constants: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    entryPoints: [entry],
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
