/** The labels of a post type or taxonomy. */
interface Labels {
  readonly label: string
  readonly singularLabel: string
}

/** The items of a post type or taxonomy in a route summary: `navigation menus`. */
export function plural({ label, singularLabel }: Labels): string {
  return label === singularLabel ? `${inSentence(label)} items` : inSentence(label)
}

/** One item of a post type or taxonomy in a route summary: `a navigation menu`; `a media item` where both labels are the same. */
export function one({ label, singularLabel }: Labels): string {
  const noun = label === singularLabel ? `${inSentence(label)} item` : inSentence(singularLabel)
  return `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`
}

/** Lower case except for abbreviations: `Navigation Menu` becomes `navigation menu`, `FAQ` stays. */
function inSentence(label: string): string {
  return label.replace(/(?<!\p{L})\p{Lu}(?=\p{Ll})/gu, (letter) => letter.toLowerCase())
}
