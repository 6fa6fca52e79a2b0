/** Whether one of the words, one per line, occurs in one of the texts, case-insensitively (WordPress's `check_comment`). */
export function containsWord(list: string, texts: readonly string[]): boolean {
  const words = list
    .split('\n')
    .map((word) => word.trim().toLowerCase())
    .filter((word) => word !== '')
  if (words.length === 0) return false
  const lower = texts.map((text) => text.toLowerCase())
  return words.some((word) => lower.some((text) => text.includes(word)))
}

/** Number of links in a text. */
export function countLinks(html: string): number {
  return html.match(/<a\s[^>]*href/gi)?.length ?? 0
}
