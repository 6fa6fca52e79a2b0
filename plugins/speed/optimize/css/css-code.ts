import type { OnResolveArgs, Plugin } from 'esbuild'

/** Star hacks for old browsers (`*zoom: 1`) are no mistakes; esbuild keeps them as they are. */
const HARMLESS = /but found "\*"$/
/** esbuild does not see addresses that stand there without `url()`. */
const BARE_ADDRESS = /image-set\(\s*["']|@namespace/i

/**
 * Makes CSS shorter and leaves what it says as it is, fallbacks for old browsers included. (Lightning CSS drops those
 * and refuses hacks of old browsers.)
 * @param from where the sheet lies, if it is to lie elsewhere: relative addresses in it are written anew
 * @param origin the site's, whose addresses are written without it
 * @returns `undefined` if the CSS is broken or nothing is gained
 */
export async function minifyCss(css: string, from?: URL, origin?: string): Promise<string | undefined> {
  if (from && BARE_ADDRESS.test(css)) return undefined
  const { build } = await import('esbuild')
  const result = await build({
    stdin: { contents: css, loader: 'css' },
    bundle: true,
    write: false,
    minify: true,
    charset: 'utf8',
    legalComments: 'inline',
    logLevel: 'silent',
    plugins: [addresses((address) => (from ? rebase(address, from, origin) : address))],
  }).catch(() => undefined)
  if (!result || result.warnings.some(({ text }) => !HARMLESS.test(text))) return undefined
  const text = result.outputFiles[0]?.text.trim() ?? ''
  return from || Buffer.byteLength(text) < Buffer.byteLength(css) ? text : undefined
}

/** An address in a sheet as it is written when the sheet lies elsewhere. */
function rebase(address: string, from: URL, origin: string | undefined): string {
  if (/^(?:#|data:|$)/i.test(address) || !URL.canParse(address, from.href)) return address
  const url = new URL(address, from)
  return url.origin === origin ? url.href.slice(origin.length) : url.href
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
