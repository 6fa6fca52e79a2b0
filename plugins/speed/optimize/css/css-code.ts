import type { OnResolveArgs, Plugin } from 'esbuild'
import { addressFromRoot, isMovableSheet } from './css-urls.ts'
import { isTooDeep } from './nesting.ts'

/** Star hacks for old browsers (`*zoom: 1`) are no mistakes; esbuild keeps them as they are. */
const HARMLESS = /but found "\*"$/

/**
 * Makes CSS shorter and leaves what it says as it is, fallbacks for old browsers included. (Lightning CSS drops those
 * and refuses hacks of old browsers.)
 * @param from where the sheet lies, if it is to lie elsewhere: relative addresses in it are written anew
 * @returns `undefined` if the CSS is broken or nothing is gained
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

/** Leaves every file that the CSS names where it is. */
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
