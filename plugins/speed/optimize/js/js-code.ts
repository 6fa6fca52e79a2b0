import type { ScriptKind } from './script-kind.ts'

/** Code that depends on the script's own URL or position, which a copy would change. */
const KNOWS_ITS_PLACE = /\bimport\b|\bcurrentScript\b|\bdocument\s*\.\s*scripts\b|getElementsByTagName\(\s*['"`]script/
/** Other modules may import the file under its original URL, so it would run twice. */
const IS_SHARED = /\bexport\b/

/** Whether a script can be served from another URL. */
export function isMovable(code: string, kind: ScriptKind): boolean {
  return !KNOWS_ITS_PLACE.test(code) && !(kind === 'module' && IS_SHARED.test(code))
}

/**
 * Minifies a script. Top-level names of classic scripts and license comments are preserved.
 * @returns `undefined` if the script is invalid or does not get smaller
 */
export async function minifyJs(code: string, kind: Exclude<ScriptKind, 'data'>): Promise<string | undefined> {
  const { transform } = await import('esbuild')
  const result = await transform(code, {
    loader: 'js',
    // Without a format, esbuild treats code without imports and exports as a classic script.
    ...(kind === 'module' && { format: 'esm' }),
    minify: true,
    target: 'esnext',
    charset: 'utf8',
    legalComments: 'inline',
    logLevel: 'silent',
  }).catch(() => undefined)
  const text = result?.code.trim()
  return text !== undefined && Buffer.byteLength(text) < Buffer.byteLength(code) ? text : undefined
}
