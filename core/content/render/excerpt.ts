import { textBlocks } from './blocks.ts'
import { withoutTags } from './html.ts'
import { remember } from './remember.ts'

/**
 * The first words of a text; WordPress's `wp_trim_words`.
 * @param html tags go, scripts and styles with what is in them; entities stay
 * @param more follows where something was left out
 */
export function firstWords(html: string, count: number, more: string): string {
  const text = withoutTags(html).trim()
  const words = text === '' ? [] : text.split(/[\n\r\t ]+/)
  return words.length > count ? words.slice(0, count).join(' ') + more : words.join(' ')
}

/** Where the author ended the beginning that lists show; WordPress's "Read more", with or without words of its own. */
const MORE = /<!--more[^<]*?-->/

/** What of a content an excerpt is made of: its text down to the mark `<!--more-->`. */
export function beginning(content: string, gap = ''): string {
  return textBlocks(content.split(MORE, 1)[0] ?? '', gap)
}

/** `firstWords` with a memory; it forgets when the length or the ending changes, which settings rarely do. */
export function createExcerpts(): typeof firstWords {
  let count = 0
  let more = ''
  let trimmed = (html: string) => firstWords(html, count, more)
  return (html, wantedCount, wantedMore) => {
    if (wantedCount !== count || wantedMore !== more) {
      count = wantedCount
      more = wantedMore
      trimmed = remember((text: string) => firstWords(text, wantedCount, wantedMore))
    }
    return trimmed(html)
  }
}
