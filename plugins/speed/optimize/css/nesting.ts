/** Brackets within brackets; in a sheet that somebody wrote there are hardly ten. */
const DEEPEST = 128

/**
 * Whether brackets are nested more deeply than parsers can follow: Lightning CSS ends the process then, esbuild takes
 * minutes. Brackets in texts and comments count too.
 */
export function isTooDeep(css: string): boolean {
  let depth = 0
  for (const [bracket] of css.matchAll(/[()[\]{}]/g)) {
    if (bracket === '(' || bracket === '[' || bracket === '{') depth++
    else if (depth > 0) depth--
    if (depth > DEEPEST) return true
  }
  return false
}
