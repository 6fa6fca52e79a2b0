import { textBlocks } from '../blocks/strip.ts'
import { withoutTags } from './html.ts'
import { rememberEventually } from './remember.ts'

/** Characters of a word, as far as it matters whether there are enough. */
const LONG_WORD = 100

/**
 * The first words of a text; WordPress's `wp_trim_words`.
 * @param html tags go, scripts and styles with what is in them; entities stay
 * @param more follows where something was left out
 */
export async function firstWords(html: string, count: number, more: string): Promise<string> {
  // The last word may go on.
  const isEnough = (text: string) => text.length > count * LONG_WORD && wordsOf(text).length > count + 1
  const words = wordsOf(await withoutTags(html, isEnough))
  return words.length > count ? words.slice(0, count).join(' ') + more : words.join(' ')
}

function wordsOf(text: string): string[] {
  const trimmed = text.trim()
  return trimmed === '' ? [] : trimmed.split(/[\n\r\t ]+/)
}

/** Where the author ended the beginning that lists show; WordPress's "Read more", with or without words of its own. */
const MORE = /<!--more[^<]*?-->/

/** What of a content an excerpt is made of: its text down to the mark `<!--more-->`. */
export function beginning(content: string, gap = ''): string {
  return textBlocks(content.split(MORE, 1)[0] ?? '', gap)
}

/** `firstWords` with a memory; it forgets when the length or the ending changes, which settings rarely do. */
export function createExcerpts(): (html: string, count: number, more: string) => string | Promise<string> {
  let count = 0
  let more = ''
  let trimmed = rememberEventually((html) => firstWords(html, count, more))
  return (html, wantedCount, wantedMore) => {
    if (wantedCount !== count || wantedMore !== more) {
      count = wantedCount
      more = wantedMore
      trimmed = rememberEventually((text) => firstWords(text, wantedCount, wantedMore))
    }
    return trimmed(html)
  }
}
