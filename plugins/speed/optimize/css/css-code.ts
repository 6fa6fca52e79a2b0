import type { OnResolveArgs, Plugin } from 'esbuild'
import { addressFromRoot, isMovableSheet } from './css-urls.ts'
import { isTooDeep } from './nesting.ts'

/** Star hacks for old browsers (`*zoom: 1`) are not errors; esbuild preserves them. */
const HARMLESS = /but found "\*"$/

/**
 * Minifies CSS without changing its meaning, including fallbacks for old browsers. (Lightning CSS drops those and
 * rejects browser hacks.)
 * @param from URL of the sheet if it will be served from another URL: relative URLs in it are rewritten
 * @returns `undefined` if the CSS is invalid or does not get smaller
 */
export async function minifyCss(css: string, from?: URL): Promise<string | undefined> {
  if (isTooDeep(css) || (from && !isMovableSheet(css))) return undefined
  const { build } = await import('esbuild')
  const result = await build({
    stdin: { contents: css, loader: 'css' },
    bundle: true,
    write: false,
    minify: true,
    charset: 'utf8',
    legalComments: 'inline',
    logLevel: 'silent',
    plugins: [addresses((address) => (from ? addressFromRoot(address, from) : address))],
  }).catch(() => undefined)
  if (!result || result.warnings.some(({ text }) => !HARMLESS.test(text))) return undefined
  const text = result.outputFiles[0]?.text.trim() ?? ''
  return from || Buffer.byteLength(text) < Buffer.byteLength(css) ? text : undefined
}

/** Marks all referenced files as external. */
function addresses(write: (address: string) => string): Plugin {
  return {
    name: 'addresses',
    setup(build) {
      build.onResolve({ filter: /.*/ }, ({ kind, path }: OnResolveArgs) =>
        kind === 'entry-point' ? undefined : { path: write(path), external: true },
      )
    },
  }
}
