/** Truncates a text to a number of UTF-16 units without splitting a character, and states how much was cut. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text
  const start = beginning(text, most)
  return `${start}\n[… ${text.length - start.length} more characters truncated]`
}

/** Truncates a text, for titles and one-line summaries. */
export function cutLine(text: string, most: number): string {
  return text.length <= most ? text : `${beginning(text, most - 1).trimEnd()}…`
}

function beginning(text: string, most: number): string {
  // A surrogate pair is one code point.
  return text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')
}
