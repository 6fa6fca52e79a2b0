/**
 * One expression for a list of names in which `*` stands for any number of characters of `any`; every other character
 * stands for itself. Nothing matches an empty list.
 * @param any what `*` may take in, as in a regular expression: `[^=;]`
 */
export function anyOf(patterns: readonly string[], any = '.'): string {
  if (patterns.length === 0) return '(?!)'
  const written = patterns.map((pattern) =>
    pattern
      .split(/\*+/)
      .map((part) => RegExp.escape(part))
      .join(`${any}*`),
  )
  return `(?:${written.join('|')})`
}
