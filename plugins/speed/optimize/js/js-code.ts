import type { ScriptKind } from './script-kind.ts'

/** What a script says of its own address or place, which would be another one for a copy. */
const KNOWS_ITS_PLACE = /\bimport\b|\bcurrentScript\b|\bdocument\s*\.\s*scripts\b|getElementsByTagName\(\s*['"`]script/
/** Other modules may have the same file under its old address, and it would run twice. */
const IS_SHARED = /\bexport\b/

/** Whether a file may be served from another address without noticing. */
export function isMovable(code: string, kind: ScriptKind): boolean {
  return !KNOWS_ITS_PLACE.test(code) && !(kind === 'module' && IS_SHARED.test(code))
}

/**
 * Makes a script shorter. Names that other scripts may use (the top level of classic scripts) and licences stay.
 * @returns `undefined` if the script is broken or nothing is gained
 */
export async function minifyJs(code: string, kind: Exclude<ScriptKind, 'data'>): Promise<string | undefined> {
  const { transform } = await import('esbuild')
  const result = await transform(code, {
    loader: 'js',
    // Without a format the code is a classic script to esbuild, unless it imports or exports.
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
