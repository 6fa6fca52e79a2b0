/** Maximum nesting of brackets; handwritten sheets hardly exceed ten. */
const DEEPEST = 128

/**
 * Whether brackets are nested too deeply for parsers: Lightning CSS crashes the process, esbuild takes minutes.
 * Brackets in strings and comments count too.
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
