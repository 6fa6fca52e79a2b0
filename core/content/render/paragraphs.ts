import { autop } from '@wordpress/autop'

/** Blanks in a row beyond these: nobody sees how many there are, and `autop` takes the square of their number. */
const BLANKS = /([^\S\n]{200})[^\S\n]+/g

/** WordPress's `wpautop`: paragraphs where there are empty lines. */
export function toParagraphs(text: string): string {
  return autop(text.replaceAll(BLANKS, '$1'))
}
