/** The beginning of a text, at most so many UTF-16 units and never half a character; says how much is left out. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text
  const kept = beginning(text, most)
  return `${kept}\n[… ${text.length - kept.length} more characters truncated]`
}

/** The beginning alone, for titles and one-line summaries. */
export function cutLine(text: string, most: number): string {
  return text.length <= most ? text : `${beginning(text, most - 1).trimEnd()}…`
}

function beginning(text: string, most: number): string {
  // A pair of surrogates is one code point.
  return text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')
}
