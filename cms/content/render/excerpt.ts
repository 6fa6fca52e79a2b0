import { textBlocks } from '../blocks/strip.ts'
import { findUrls } from './find-urls.ts'
import { withoutTags } from './html.ts'
import { rememberEventually } from './remember.ts'

/** Start of a word after white space. */
const START = /[\n\r\t ](?=[^\n\r\t ])/g
/** Elements that end a word, although the text may have no white space there; WordPress runs the words together. */
const BREAK =
  /<(?=\/?(?:br|p|li|d[td]|h[1-6r]|pre|cite|fig(?:ure|caption)|summary|caption|t[rdh]|div|section|article|blockquote|header|footer|main|aside|nav|address|details|hgroup)\b)/gi

/**
 * The first words of a text; WordPress's `wp_trim_words`.
 * @param html tags are removed, scripts and styles with their content; entities are preserved
 * @param more appended if text was omitted
 */
export async function firstWords(html: string, count: number, more: string): Promise<string> {
  const startsIn = createStartCount()
  // The last word may be incomplete.
  const isEnough = (part: string) => startsIn(part) > count + 1
  const words = wordsOf(await withoutTags(html.replace(BREAK, ' <'), isEnough))
  return words.length > count ? words.slice(0, count).join(' ') + more : words.join(' ')
}

/** Counts the words of a text that arrives in parts, after the first. It reads each part once: reading a text that grows would copy it. */
function createStartCount(): (part: string) => number {
  let count = 0
  let last = ''
  return (part) => {
    count += (last + part).match(START)?.length ?? 0
    last = part.slice(-1)
    return count
  }
}

function wordsOf(text: string): string[] {
  const trimmed = text.trim()
  return trimmed === '' ? [] : trimmed.split(/[\n\r\t ]+/)
}

/** The "Read more" mark that ends the teaser, with or without its own text. */
export const MORE = /<!--more[^<]*?-->/

/**
 * The part of a content from which an excerpt is created: the text up to `<!--more-->`, without embeds. `gap` replaces each removed block
 * and embed.
 */
export function beginning(content: string, gap = ''): string {
  return withoutUrls(textBlocks(content.split(MORE, 1)[0] ?? '', gap), gap)
}

/** Removes the URLs that stand alone in a paragraph or on a line: they are embeds, like the `core/embed` blocks that `textBlocks` removes. */
function withoutUrls(html: string, gap: string): string {
  let text = ''
  let from = 0
  for (const { start, end } of findUrls(html)) {
    text += html.slice(from, start) + gap
    from = end
  }
  return text + html.slice(from)
}

/** A cached `firstWords`; the cache is cleared when the length or the ending changes, which is rare. */
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
