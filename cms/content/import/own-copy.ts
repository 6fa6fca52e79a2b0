/**
 * A copy of a text that was cut out of a longer one, to be kept: as long as V8 has the part, it keeps the whole, and the whole
 * is a piece of the export or all the text of a post.
 */
export function ownCopy(text: string): string {
  return structuredClone(text)
}
