/**
 * Creates a matcher for names with `*` wildcards. Not a regular expression: several `*` cause catastrophic backtracking
 * (22 s for a path of 2,000 characters).
 * @returns a function that runs in time linear in text and patterns
 */
export function createNameMatcher(patterns: readonly string[]): (text: string) => boolean {
  const exact = new Set(patterns.filter((pattern) => !pattern.includes('*')))
  const open = patterns.filter((pattern) => pattern.includes('*')).map((pattern) => pattern.split(/\*+/))
  return (text) => exact.has(text) || open.some((parts) => matches(parts, text))
}

/** @param parts literal parts in order; the first must be at the start, the last at the end */
function matches(parts: readonly string[], text: string): boolean {
  const [first = '', ...rest] = parts
  const last = rest.pop() ?? ''
  const end = text.length - last.length
  if (end < first.length || !text.startsWith(first) || !text.endsWith(last)) return false
  let from = first.length
  for (const part of rest) {
    // The first occurrence suffices: a later one leaves less room for the remaining parts.
    const at = text.indexOf(part, from)
    if (at < 0) return false
    from = at + part.length
  }
  return from <= end
}
